package schema_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
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
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	return sdk{server, testutil.Connect(tb, server, nil)}
}

// refuses reports whether the SDK refuses the arguments. It returns false for ok if the SDK
// does not accept the schema.
func (s sdk) refuses(tb testing.TB, schema, arguments json.RawMessage) (refused, ok bool) {
	tb.Helper()
	func() {
		defer func() { ok = recover() == nil }()
		mcp.AddTool(s.server, &mcp.Tool{Name: "t", InputSchema: schema}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	}()
	if !ok {
		return false, false
	}
	res, err := s.session.CallTool(tb.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments})
	require.NoError(tb, err)
	return res.IsError, true
}

// The SDK's validator must refuse a value with a violation, and accept a value that
// certainly has none.
func TestValidate_SDKAgreement(t *testing.T) {
	t.Parallel()
	s := newSDK(t)
	r := random{rand.New(rand.NewPCG(1, 2))} //nolint:gosec // the same cases in every run
	var tried, refused, uncertain int
	for range 1000 {
		document := r.document()
		arguments := r.object(3)
		no, ok := s.agrees(t, encode(t, document), encode(t, arguments))
		if !ok {
			continue
		}
		tried++
		if no {
			refused++
		}
		if v, certain := schema.Read(document).Validate(encode(t, arguments)); v == nil && !certain {
			uncertain++
		}
	}
	assert.Greater(t, tried, 500)
	assert.Greater(t, refused, tried/4)
	assert.Greater(t, tried-refused, tried/10)
	assert.Less(t, uncertain, tried/5)
}

func (s sdk) agrees(tb testing.TB, document, arguments json.RawMessage) (refused, ok bool) {
	tb.Helper()
	refused, ok = s.refuses(tb, document, arguments)
	if !ok {
		return false, false
	}
	v, certain := schema.Read(document).Validate(arguments)
	if v != nil {
		assert.True(tb, refused, "%s %s: %s at %q", document, arguments, v.Keyword, v.Path)
		assert.NotEmpty(tb, v.Rule())
	} else if certain {
		assert.False(tb, refused, "%s %s: no violation found", document, arguments)
	}
	return refused, true
}

// FuzzValidate searches for a schema and arguments for which the SDK and the walk differ.
func FuzzValidate(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	s := newSDK(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := random{rand.New(rand.NewPCG(seed, seed))} //nolint:gosec // no secret
		document := encode(t, r.document())
		for range 5 {
			s.agrees(t, document, encode(t, r.object(3)))
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
type random struct{ *rand.Rand }

func oneOf[T any](r random, list ...T) T { return list[r.IntN(len(list))] }

func (r random) chance(percent int) bool { return r.IntN(100) < percent }

func (r random) document() map[string]any {
	document := r.objectSchema(3)
	document["type"] = "object"
	delete(document, "const")
	delete(document, "enum")
	shared := r.schema(1)
	tree := r.objectSchema(1)
	tree["properties"] = map[string]any{"a": map[string]any{"$ref": "#/$defs/tree"}, "b": r.schema(1)}
	for _, node := range []map[string]any{shared, tree} {
		deleteReferences(node)
	}
	tree["properties"] = map[string]any{"a": map[string]any{"$ref": "#/$defs/tree"}}
	document["$defs"] = map[string]any{"shared": shared, "tree": tree}
	return document
}

// deleteReferences deletes the references of a schema, because the SDK follows cycles
// without end.
func deleteReferences(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "$ref")
		for _, member := range v {
			deleteReferences(member)
		}
	case []any:
		for _, item := range v {
			deleteReferences(item)
		}
	}
}

func (r random) schema(depth int) map[string]any {
	if depth > 0 && r.chance(40) {
		return r.objectSchema(depth)
	}
	node := map[string]any{}
	add := func(percent int, name string, v any) {
		if r.chance(percent) {
			node[name] = v
		}
	}
	types := []any{"string", "integer", "number", "boolean", "array", "object", "null"}
	add(40, "type", oneOf(r, types...))
	add(10, "type", []any{oneOf(r, types...), "null"})
	add(5, "enum", []any{r.value(1), r.value(1), "a"})
	add(5, "const", r.value(1))
	add(10, "minimum", float64(r.IntN(3)))
	add(10, "maximum", float64(r.IntN(4)))
	add(5, "exclusiveMinimum", float64(r.IntN(3)))
	add(5, "exclusiveMaximum", float64(r.IntN(4)))
	add(5, "multipleOf", oneOf(r, 0.5, 2.0, 0.1))
	add(10, "minLength", r.IntN(3))
	add(10, "maxLength", r.IntN(4))
	add(10, "pattern", oneOf(r, "^a", "b$", "^.?$", "é"))
	add(5, "format", "date")
	add(8, "minItems", r.IntN(3))
	add(8, "maxItems", r.IntN(4))
	add(8, "uniqueItems", r.chance(80))
	if depth == 0 {
		return node
	}
	add(15, "items", r.child(depth))
	add(5, "prefixItems", []any{r.child(depth), r.child(depth)})
	add(5, "contains", r.child(depth))
	add(2, "minContains", r.IntN(3))
	add(3, "$ref", oneOf(r, "#/$defs/shared", "#/$defs/tree"))
	add(5, "allOf", []any{r.child(depth), r.child(depth)})
	add(8, "anyOf", []any{r.child(depth), map[string]any{"type": "null"}})
	add(5, "anyOf", []any{r.child(depth), r.child(depth)})
	add(5, "oneOf", []any{r.child(depth), r.child(depth)})
	add(3, "not", r.child(depth))
	add(2, "if", r.child(depth))
	add(2, "then", r.child(depth))
	return node
}

// child returns a schema one level deeper.
func (r random) child(depth int) any {
	switch {
	case r.chance(4):
		return r.chance(60)
	case r.chance(8):
		return map[string]any{"$ref": oneOf(r, "#/$defs/shared", "#/$defs/tree")}
	}
	return r.schema(depth - 1)
}

func (r random) objectSchema(depth int) map[string]any {
	properties := map[string]any{}
	for _, name := range []string{"a", "b", "c"} {
		if !r.chance(70) {
			continue
		}
		properties[name] = r.child(depth)
	}
	node := map[string]any{"properties": properties}
	add := func(percent int, name string, v any) {
		if r.chance(percent) {
			node[name] = v
		}
	}
	add(60, "type", "object")
	add(30, "required", []any{oneOf(r, "a", "b"), oneOf(r, "c", "b")})
	add(15, "additionalProperties", r.chance(30))
	add(10, "additionalProperties", r.child(depth))
	add(5, "unevaluatedProperties", false)
	add(5, "minProperties", r.IntN(3))
	add(5, "maxProperties", r.IntN(4))
	add(4, "patternProperties", map[string]any{"^[cd]": r.child(depth)})
	add(2, "dependentRequired", map[string]any{"a": []any{"b"}})
	add(2, "propertyNames", map[string]any{"maxLength": 1})
	add(6, "anyOf", []any{map[string]any{"required": []any{"a"}}, map[string]any{"required": []any{"b"}}})
	add(5, "allOf", []any{r.child(depth)})
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
