package toolerr_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
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

func readSchema(t *testing.T) (s schema) {
	t.Helper()
	raw, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &s))
	return s
}

// keys returns the keys of a JSON object in their order, and its values.
func keys(t *testing.T, raw json.RawMessage) (names []string, values map[string]json.RawMessage) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &values))
	d := json.NewDecoder(bytes.NewReader(raw))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		names = append(names, testutil.As[string](t, name))
		require.NoError(t, d.Decode(new(json.RawMessage)))
	}
	return names, values
}

// TestSchema_Members checks that envelopes and the schema have exactly the keys of the exported
// fields, in their order, and that the schema describes each.
func TestSchema_Members(t *testing.T) {
	t.Parallel()
	e := full().WithPartial(&toolerr.Partial{Processed: 1, Total: 2, ContinueFrom: 2, Results: json.RawMessage(`[1]`)})
	e.Retryable = true // sent as false, but every field must be set
	s := readSchema(t)
	check := func(of any, properties json.RawMessage, written []string, fields ...string) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			if f.IsExported() {
				require.False(t, reflect.ValueOf(of).FieldByIndex(f.Index).IsZero(), "%T.%s is not set: set it in full", of, f.Name)
				fields = append(fields, wireName(f.Name))
			}
		}
		names, described := keys(t, properties)
		assert.Equal(t, fields, names)
		assert.Equal(t, fields, written)
		for name, raw := range described {
			var property schema
			require.NoError(t, json.Unmarshal(raw, &property))
			assert.NotEmpty(t, property.Description, name)
		}
	}
	written, values := keys(t, e.AppendJSON(nil))
	check(*e, s.Properties, written, "isError")
	written, _ = keys(t, bytes.Trim(values["attempted"], "[]"))
	check(e.Attempted[0], s.Defs["attempt"].Properties, written)
	written, _ = keys(t, values["partial"])
	check(*e.Partial, s.Defs["partial"].Properties, written)
	assert.NotEmpty(t, s.Defs["attempt"].Description)
	assert.NotEmpty(t, s.Defs["partial"].Description)
	assert.Regexp(t, "^https://github.com/mcp-toolerr/toolerr-go/.*/toolerr/"+schemaFile+"$", s.ID)
}

func TestSchema_Constants(t *testing.T) {
	t.Parallel()
	s := readSchema(t)
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
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^\s+\w+ +(Category|Code|Effect) += "(\w+)"`).
			FindAllStringSubmatch(string(source), -1) {
			got[m[1]] = append(got[m[1]], m[2])
		}
	}
	return got
}

// TestSchema_RemovedCharacters checks that the schema's pattern refuses exactly the
// characters that AppendJSON removes.
func TestSchema_RemovedCharacters(t *testing.T) {
	t.Parallel()
	s := readSchema(t)
	pattern := regexp.MustCompile(s.Defs["string"].Pattern)
	wire := make([]byte, 0, 256)
	for r := rune(0); r <= 0xe1000; r++ {
		switch r {
		case 0xd800: // surrogates
			r = 0xe000
		case 0x40000: // planes without a character
			r = 0xdff00
		}
		wire = (&toolerr.Error{Message: "m", Hint: "h", Partial: &toolerr.Partial{ContinueFrom: string(r)}}).
			AppendJSON(wire[:0])
		if out := !strings.Contains(string(wire), `"continueFrom"`); out == pattern.MatchString(string(r)) {
			t.Errorf("%U: removed is %v, the schema's pattern disagrees", r, out)
		}
	}
}

var envelopes = flag.Int("envelopes", 100, "number of random envelopes to validate")

// validator returns a function that validates envelopes against the schema in a file. It uses the
// validator of the MCP SDK: the schema is the input schema of a tool, and the envelopes are
// its arguments. The function returns the SDK's complaint, or "".
func validator(t *testing.T, file string) func(envelope string) (complaint string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	server := mcp.NewServer(&mcp.Implementation{Name: "validator", Version: "v1"}, nil)
	called := 0
	mcp.AddTool(server, &mcp.Tool{Name: "validate", InputSchema: json.RawMessage(raw)},
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			called++
			return nil, nil, nil
		})
	session := testutil.Connect(t, server, nil)
	return func(envelope string) string {
		before := called
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "validate", Arguments: json.RawMessage(envelope)})
		require.NoError(t, err)
		require.Equal(t, res.IsError, called == before, "calls of the tool")
		if !res.IsError {
			return ""
		}
		text, ok := res.Content[0].(*mcp.TextContent)
		require.True(t, ok)
		require.NotEmpty(t, text.Text)
		return text.Text
	}
}

func TestSchema_Vectors(t *testing.T) {
	t.Parallel()
	validate := validator(t, schemaFile)
	for _, v := range testutil.Vectors(t, "testdata/schema.json") {
		envelope, err := json.Marshal(testutil.Expand(t, v.Envelope))
		require.NoError(t, err)
		complaint := validate(string(envelope))
		if v.Refused == nil {
			assert.Empty(t, complaint, v.Name)
			continue
		}
		var why struct {
			At      string `json:"at"`
			Keyword string `json:"keyword"`
		}
		require.NoError(t, json.Unmarshal(v.Refused, &why))
		require.NotEmpty(t, v.Why, v.Name)
		if why.Keyword == "propertyNames" {
			why.Keyword = "pattern" // the SDK names the inner keyword
		}
		assert.Contains(t, complaint, why.Keyword+":", v.Name)
		for part := range strings.SplitSeq(why.At, "/") {
			if strings.Trim(part, "0123456789") != "" && !strings.Contains(why.At, "/details/") &&
				!strings.Contains(why.At, "/arguments/") {
				assert.Contains(t, complaint, "properties/"+part, v.Name)
			}
		}
	}
}

func TestSchema_WrittenEnvelopes(t *testing.T) {
	t.Parallel()
	validate := validator(t, schemaFile)
	for _, v := range testutil.Vectors(t, "testdata/write.json") {
		assert.Empty(t, validate(testutil.As[string](t, testutil.Expand(t, v.Wire))), v.Name)
	}
	for _, v := range testutil.Vectors(t, "testdata/read.json") {
		if v.Refused == nil {
			assert.Empty(t, validate(testutil.As[string](t, testutil.Expand(t, v.Written))), v.Name)
		}
	}
	for seed := range *envelopes {
		e := new(toolerr.Error)
		randomize(rand.New(rand.NewPCG(uint64(seed), 0)), reflect.ValueOf(e).Elem(), 0)
		text := string(e.AppendJSON(nil))
		require.Empty(t, validate(text), "seed %d: %s", seed, text)
		require.True(t, utf8.ValidString(text))
		var again toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(text), &again))
		require.Equal(t, text, string(again.AppendJSON(nil)), "seed %d: round trip", seed)
		e.Partial = nil
		require.LessOrEqual(t, len(e.AppendJSON(nil)), 8<<10)
	}
}

// words are texts of members, of which some are unclean or too long.
var words = []string{
	"", "m", "transient", "timeout", "none", "\x00", "\x1b[31mred", "a\u202eb", "\u200b", "ä<b>&\"\\\n", "\xff",
	"9007199254740993",
	strings.Repeat("x", 300), strings.Repeat("x", 2048), strings.Repeat("ä", 1025), strings.Repeat(`"`, 2048),
	strings.Repeat("\U000e0001", 600),
}

// randomize fills a value with random members.
func randomize(r *rand.Rand, v reflect.Value, depth int) {
	item := func(t reflect.Type) reflect.Value {
		v := reflect.New(t).Elem()
		randomize(r, v, depth+1)
		return v
	}
	switch v.Kind() { //nolint:exhaustive // an Error has no others
	case reflect.String:
		v.SetString(words[r.IntN(len(words))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(r.IntN(9) - 4))
	case reflect.Int64: // a duration
		v.SetInt((r.Int64() - r.Int64()) >> r.IntN(63))
	case reflect.Pointer:
		if r.IntN(3) == 0 {
			v.Set(item(v.Type().Elem()).Addr())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				randomize(r, v.Field(i), depth)
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(6) {
			v.SetMapIndex(item(v.Type().Key()), item(v.Type().Elem()))
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			raw, _ := json.Marshal(item(reflect.TypeFor[any]()).Interface()) // or nothing
			v.SetBytes(raw)
			return
		}
		for range r.IntN(4) * r.IntN(10) {
			v.Set(reflect.Append(v, item(v.Type().Elem())))
		}
	default: // an interface
		kinds := []any{r.NormFloat64(), r.Int64(), func() {}, "", "", "", []any{}, map[string]any{}}
		if kind := r.IntN(len(kinds)+1) - 1; kind >= 0 && (depth < 5 || kind < 6) {
			v.Set(reflect.ValueOf(kinds[kind]))
			if kind > 2 {
				v.Set(item(reflect.TypeOf(kinds[kind])))
			}
		}
	}
}
