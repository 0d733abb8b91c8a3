package schema_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// An sdk validates arguments like the servers of the SDK.
type sdk struct {
	server  *mcp.Server
	session *mcp.ClientSession
}

func newSDK(tb testing.TB) sdk {
	tb.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"},
		&mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
	return sdk{server, testutil.Connect(tb, server, nil)}
}

// accepts reports whether the SDK accepts the schema, and makes it the one to validate with.
func (s sdk) accepts(document json.RawMessage) (ok bool) {
	defer func() { ok = recover() == nil }()
	mcp.AddTool(s.server, &mcp.Tool{Name: "t", InputSchema: document},
		func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	return true
}

// agrees checks that the SDK refuses arguments with a violation, and accepts arguments that
// certainly have none.
func (s sdk) agrees(tb testing.TB, document, arguments json.RawMessage) (refused, certain bool) {
	tb.Helper()
	res, err := s.session.CallTool(tb.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments})
	require.NoError(tb, err)
	v, certain := schema.Read(document).Validate(arguments)
	if v != nil {
		const finds = "schema %s, arguments %s: the SDK accepts them, Validate finds a violation of %s at %q"
		assert.True(tb, res.IsError, finds, document, arguments, v.Keyword, v.Path)
		assert.NotEmpty(tb, v.Rule())
	} else if certain {
		assert.False(tb, res.IsError, "schema %s, arguments %s: the SDK refuses them, Validate finds nothing", document,
			arguments)
	}
	return res.IsError, certain || v != nil
}

func TestValidate_SDKAgreement(t *testing.T) {
	t.Parallel()
	s := newSDK(t)
	r := random{rand.New(rand.NewPCG(1, 2)), "$ref"} //nolint:gosec // the same cases in every run
	var tried, refused, uncertain int
	for range 500 {
		document := encode(t, r.document())
		if !s.accepts(document) {
			continue
		}
		for range 2 {
			no, certain := s.agrees(t, document, encode(t, r.object(3)))
			tried++
			if no {
				refused++
			}
			if !certain {
				uncertain++
			}
		}
	}
	assert.Greater(t, tried, 500)
	assert.Greater(t, refused, tried/4)
	assert.Greater(t, tried-refused, tried/10)
	assert.Less(t, uncertain, tried/5)
}

// FuzzValidate searches for a schema and arguments for which the SDK and the walk differ.
func FuzzValidate(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	s := newSDK(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := random{rand.New(rand.NewPCG(seed, seed)), "$ref"} //nolint:gosec // no secret
		if document := encode(t, r.document()); s.accepts(document) {
			for range 5 {
				s.agrees(t, document, encode(t, r.object(3)))
			}
		}
	})
}

func encode(tb testing.TB, v any) json.RawMessage {
	tb.Helper()
	raw, err := json.Marshal(v)
	require.NoError(tb, err)
	return raw
}

// A random generates small, similar schemas and values, which often match.
type random struct {
	*rand.Rand

	references string // the keyword, or empty for schemas without any
}

func oneOf[T any](r random, list ...T) T { return list[r.IntN(len(list))] }

func (r random) chance(percent int) bool { return r.IntN(100) < percent }

// add adds a keyword to some of the schemas.
func (r random) add(node map[string]any, percent int, name string, v any) {
	if r.chance(percent) {
		node[name] = v
	}
}

// document returns the schema of a tool. The shared schemas have no references, because the SDK
// follows cycles without end, but the tree's to itself through a member.
func (r random) document() map[string]any {
	document, plain := r.objectSchema(3), random{r.Rand, ""}
	tree := plain.objectSchema(1)
	tree["properties"] = map[string]any{"a": map[string]any{"$ref": "#/$defs/tree"}}
	document["type"], document["$defs"] = "object", map[string]any{"shared": plain.schema(1), "tree": tree}
	return document
}

func (r random) schema(depth int) map[string]any {
	if depth > 0 && r.chance(40) {
		return r.objectSchema(depth)
	}
	node := map[string]any{}
	types := []any{"string", "integer", "number", "boolean", "array", "object", "null"}
	r.add(node, 40, "type", oneOf(r, types...))
	r.add(node, 10, "type", []any{oneOf(r, types...), "null"})
	r.add(node, 5, "enum", []any{r.value(1), r.value(1), "a"})
	r.add(node, 5, "const", r.value(1))
	for name := range strings.FieldsSeq("minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems " +
		"maxItems minContains") {
		r.add(node, 8, name, r.IntN(4))
	}
	r.add(node, 5, "multipleOf", oneOf(r, 0.5, 2.0, 0.1))
	r.add(node, 10, "pattern", oneOf(r, "^a", "b$", "^.?$", "é"))
	r.add(node, 5, "format", "date")
	r.add(node, 8, "uniqueItems", r.chance(80))
	if depth == 0 {
		return node
	}
	for name := range strings.FieldsSeq("items items contains not if then prefixItems allOf anyOf oneOf") {
		switch {
		case !r.chance(5):
		case strings.HasSuffix(name, "Of") || name == "prefixItems":
			node[name] = []any{r.child(depth), r.child(depth)}
		default:
			node[name] = r.child(depth)
		}
	}
	r.add(node, 8, "anyOf", []any{r.child(depth), map[string]any{"type": "null"}})
	r.add(node, 3, r.references, oneOf(r, "#/$defs/shared", "#/$defs/tree"))
	return node
}

// child returns a schema one level deeper.
func (r random) child(depth int) any {
	switch {
	case r.chance(4):
		return r.chance(60)
	case r.chance(8):
		return map[string]any{r.references: oneOf(r, "#/$defs/shared", "#/$defs/tree")}
	}
	return r.schema(depth - 1)
}

func (r random) objectSchema(depth int) map[string]any {
	properties := map[string]any{}
	for _, name := range []string{"a", "b", "c"} {
		if r.chance(70) {
			properties[name] = r.child(depth)
		}
	}
	node, child := map[string]any{"properties": properties}, r.child(depth)
	r.add(node, 60, "type", "object")
	r.add(node, 30, "required", []any{oneOf(r, "a", "b"), oneOf(r, "c", "b")})
	r.add(node, 15, "additionalProperties", r.chance(30))
	r.add(node, 10, "additionalProperties", child)
	r.add(node, 5, "unevaluatedProperties", false)
	r.add(node, 5, "minProperties", r.IntN(3))
	r.add(node, 5, "maxProperties", r.IntN(4))
	r.add(node, 4, "patternProperties", map[string]any{"^[cd]": child})
	r.add(node, 2, "dependentRequired", map[string]any{"a": []any{"b"}})
	r.add(node, 2, "propertyNames", map[string]any{"maxLength": 1})
	r.add(node, 6, "anyOf", []any{map[string]any{"required": []any{"a"}}, map[string]any{"required": []any{"b"}}})
	r.add(node, 5, "allOf", []any{child})
	return node
}

func (r random) value(depth int) any {
	switch r.IntN(8) {
	case 0:
		return nil
	case 1:
		return r.chance(50)
	case 2, 3:
		return oneOf[any](r, 0, json.Number("-0"), 1, 2, 1.5, 0.3, 3, json.Number("1e2"), json.Number("9007199254740993"))
	case 4:
		if depth > 0 {
			list := make([]any, r.IntN(4))
			for i := range list {
				list[i] = r.value(depth - 1)
			}
			return list
		}
	case 5, 6:
		if depth > 0 {
			return r.object(depth - 1)
		}
	}
	return oneOf(r, "", "a", "b", "ab", "aé", "abc")
}

func (r random) object(depth int) any {
	object := map[string]any{}
	for _, name := range []string{"a", "b", "c", "d"} {
		if r.chance(50) {
			object[name] = r.value(depth)
		}
	}
	return object
}
