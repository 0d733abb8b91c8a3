package toolerr_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const schemaFile = "testdata/envelope.schema.json"

// A schema holds the members of a JSON Schema that the tests use.
type schema struct {
	ID          string            `json:"$id"`
	Description string            `json:"description"`
	Properties  json.RawMessage   `json:"properties"`
	Defs        map[string]schema `json:"$defs"`
	Examples    []string          `json:"examples"`
	Pattern     string            `json:"pattern"`
}

func readSchema(t *testing.T) (raw json.RawMessage, s schema) {
	t.Helper()
	raw, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &s))
	return raw, s
}

// keys returns the keys of a JSON object in order, and its values.
func keys(t *testing.T, raw json.RawMessage) (names []string, values map[string]json.RawMessage) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(raw)))
	open, err := d.Token()
	require.NoError(t, err)
	require.Equal(t, json.Delim('{'), open)
	values = map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
		names = append(names, as[string](t, name))
		values[names[len(names)-1]] = value
	}
	return names, values
}

// TestSchema_Members checks that the schema has exactly the keys of the exported fields, in
// wire order.
func TestSchema_Members(t *testing.T) {
	t.Parallel()
	e := full().WithPartial(&toolerr.Partial{Processed: 1, Total: 2, ContinueFrom: 2, Results: json.RawMessage(`[1]`)})
	e.Retryable = true // sent as false, but every field must be set
	for _, v := range []any{*e, e.Attempted[0], *e.Partial} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if f.IsExported() {
				require.False(t, reflect.ValueOf(v).FieldByIndex(f.Index).IsZero(), "%T.%s is not set: set it in full", v, f.Name)
			}
		}
	}
	names, values := keys(t, e.AppendJSON(nil))
	_, s := readSchema(t)
	properties, described := keys(t, s.Properties)
	assert.Equal(t, names, properties)
	assert.Len(t, names, exported[toolerr.Error]()+1, "fields and isError")

	var attempts []json.RawMessage
	require.NoError(t, json.Unmarshal(values["attempted"], &attempts))
	for def, part := range map[string]struct {
		raw    json.RawMessage
		fields int
	}{
		"attempt": {attempts[0], exported[toolerr.Attempt]()},
		"partial": {values["partial"], exported[toolerr.Partial]()},
	} {
		names, _ := keys(t, part.raw)
		properties, more := keys(t, s.Defs[def].Properties)
		assert.Equal(t, names, properties)
		assert.Len(t, names, part.fields)
		for name, raw := range more {
			described[def+"."+name] = raw
		}
		assert.NotEmpty(t, s.Defs[def].Description, def)
	}
	for name, raw := range described {
		var property schema
		require.NoError(t, json.Unmarshal(raw, &property))
		assert.NotEmpty(t, property.Description, name)
	}
	assert.True(t, strings.HasPrefix(s.ID, "https://github.com/mcp-toolerr/toolerr-go/") && strings.HasSuffix(s.ID, "/toolerr/"+schemaFile), s.ID)
}

func exported[T any]() (n int) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if f.IsExported() {
			n++
		}
	}
	return n
}

func TestSchema_Constants(t *testing.T) {
	t.Parallel()
	_, s := readSchema(t)
	got := constants(t)
	for typ, def := range map[string]string{"Category": "category", "Code": "code", "Effect": "effect"} {
		words := s.Defs[def].Examples
		require.NotEmpty(t, got[typ])
		assert.ElementsMatch(t, got[typ], words, "constants of type %s", typ)
		for _, word := range words {
			assert.Regexp(t, `(^|\. )`+word+": ", s.Defs[def].Description, "description of the word")
		}
	}
}

// constants returns the values of the package's string constants by type.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	got := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			typ, ok := spec.Type.(*ast.Ident)
			if !ok || !slices.Contains([]string{"Category", "Code", "Effect"}, typ.Name) {
				return true
			}
			for _, value := range spec.Values {
				if lit, ok := value.(*ast.BasicLit); ok {
					text, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					got[typ.Name] = append(got[typ.Name], text)
				}
			}
			return true
		})
	}
	return got
}

// TestSchema_RemovedCharacters checks that the schema's pattern refuses exactly the
// characters that AppendJSON removes.
func TestSchema_RemovedCharacters(t *testing.T) {
	t.Parallel()
	_, s := readSchema(t)
	pattern := regexp.MustCompile(s.Defs["string"].Pattern)
	wire := make([]byte, 0, 256)
	for r := rune(0); r <= 0xe1000; r++ {
		switch r {
		case 0xd800: // surrogates
			r = 0xe000
		case 0x40000: // planes without a character
			r = 0xdff00
		}
		wire = (&toolerr.Error{Message: "m", Hint: "h", Partial: &toolerr.Partial{ContinueFrom: string(r)}}).AppendJSON(wire[:0])
		if out := !strings.Contains(string(wire), `"continueFrom"`); out == pattern.MatchString(string(r)) {
			t.Errorf("%U: removed is %v, the schema's pattern disagrees", r, out)
		}
	}
}

// randomError returns an error with random members, including unclean and long ones.
func randomError(r *rand.Rand) *toolerr.Error {
	words := []string{
		"", "m", "transient", "timeout", "none", "\x00", "\x1b[31mred", "a\u202eb", "\u200b", "ä<b>&\"\\\n", "\xff", "9007199254740993",
		strings.Repeat("x", 300), strings.Repeat("x", 2048), strings.Repeat("ä", 1025), strings.Repeat(`"`, 2048), strings.Repeat("\U000e0001", 600),
	}
	text := func() string { return words[r.IntN(len(words))] }
	var value func(depth int) any
	value = func(depth int) any {
		switch kind := r.IntN(10); {
		case kind == 0:
			return nil
		case kind == 1:
			return r.NormFloat64()
		case kind == 2:
			return r.Int64()
		case kind == 3:
			return make(chan int)
		case kind == 4 && depth < 4:
			list := make([]any, r.IntN(30))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return list
		case kind == 5 && depth < 4:
			m := map[string]any{}
			for range r.IntN(10) {
				m[text()] = value(depth + 1)
			}
			return m
		}
		return text()
	}
	texts := func() []string {
		list := make([]string, r.IntN(4)*r.IntN(10))
		for i := range list {
			list[i] = text()
		}
		return list
	}
	object := func() map[string]any {
		m := map[string]any{}
		for range r.IntN(4) {
			m[text()] = value(0)
		}
		return m
	}
	e := &toolerr.Error{
		Category: toolerr.Category(text()), Retryable: r.IntN(2) == 0, Code: toolerr.Code(text()), Message: text(), Hint: text(), CustomerMessage: text(),
		RetryAfter: time.Duration(r.Int64()-r.Int64()) >> r.IntN(63), Field: text(), Suggestions: texts(), Options: []any{value(0), value(0)}[:r.IntN(3)],
		Effect: toolerr.Effect(text()), IdempotencyKey: text(), Alternatives: texts(), CorrelationID: text(), Details: object(),
	}
	for range r.IntN(3) * r.IntN(12) {
		e.Attempted = append(e.Attempted, toolerr.Attempt{
			Tool: text(), Arguments: object(), Attempts: r.IntN(5) - 2, Elapsed: time.Duration(r.Int64()-r.Int64()) >> r.IntN(63),
			Category: toolerr.Category(text()), Code: toolerr.Code(text()),
		})
	}
	if r.IntN(3) == 0 {
		results, _ := json.Marshal(value(0)) // or nothing
		e.Partial = &toolerr.Partial{Processed: r.IntN(9) - 4, Total: r.IntN(9) - 4, ContinueFrom: value(0), Results: results}
	}
	return e
}
