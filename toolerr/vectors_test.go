package toolerr_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A vector is an entry of testdata/write.json, read.json or schema.json, which
// testdata/README.md describes.
type vector struct {
	Name     string          `json:"name"`
	Why      string          `json:"why"`
	Members  map[string]any  `json:"members"`
	Wire     any             `json:"wire"`
	Text     any             `json:"text"`
	Written  any             `json:"written"`
	Changed  []string        `json:"changed"`
	AnyHint  bool            `json:"anyHint"`
	Envelope any             `json:"envelope"`
	Refused  json.RawMessage `json:"refused"`
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	var all []vector
	require.NoError(t, d.Decode(&all))
	names := map[string]bool{}
	for _, v := range all {
		require.False(t, names[v.Name], "%s: duplicate name %q", file, v.Name)
		names[v.Name] = true
	}
	require.NotEmpty(t, all)
	return all
}

// expand replaces the forms for long values and for values that JSON does not have.
func expand(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		require.NoError(t, err)
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = expand(t, v[i])
		}
		return out
	case map[string]any:
		if len(v) == 1 {
			for key, of := range v {
				if strings.HasPrefix(key, "$") {
					return form(t, key, of)
				}
			}
		}
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = expand(t, item)
		}
		return out
	}
	return v
}

func form(t *testing.T, name string, of any) any {
	t.Helper()
	switch name {
	case "$integer":
		return json.Number(as[string](t, of))
	case "$json":
		return json.RawMessage(as[string](t, of))
	case "$bytes":
		raw, err := hex.DecodeString(as[string](t, of))
		require.NoError(t, err)
		return string(raw)
	}
	items := as[[]any](t, expand(t, of))
	switch name {
	case "$repeat":
		require.Len(t, items, 2)
		return strings.Repeat(as[string](t, items[0]), int(as[float64](t, items[1])))
	case "$times":
		require.Len(t, items, 2)
		list := make([]any, int(as[float64](t, items[1])))
		for i := range list {
			list[i] = items[0]
		}
		return list
	case "$join":
		var b strings.Builder
		for _, item := range items {
			b.WriteString(as[string](t, item))
		}
		return b.String()
	}
	t.Fatalf("unknown form %s", name)
	return nil
}

// as returns v as a T, or the zero T if v is nil.
func as[T any](t *testing.T, v any) T {
	t.Helper()
	out, ok := v.(T)
	require.True(t, ok || v == nil, "%v should be a %T", v, out)
	return out
}

func TestWriteVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "write.json") {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			given := as[map[string]any](t, expand(t, v.Members))
			text := string(fromMembers(t, given).AppendJSON(nil))
			assert.Equal(t, expand(t, v.Wire), anyHint(t, v, text))
			assert.ElementsMatch(t, v.Changed, changed(t, given, text))
		})
	}
}

func TestReadVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "read.json") {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			if strconv.IntSize == 32 && v.Name == "counts of a part" {
				t.Skip("the counts do not fit an int of 32 bits") // TestUnmarshalJSON_Names has them
			}
			text := as[string](t, expand(t, v.Text))
			var got toolerr.Error
			err := json.Unmarshal([]byte(text), &got)
			if v.Refused != nil {
				require.Error(t, err)
				require.Error(t, got.UnmarshalJSON([]byte(text)), "without json.Unmarshal's own check")
				return
			}
			require.NoError(t, err)
			want := as[map[string]any](t, expand(t, v.Members))
			assert.Equal(t, fromMembers(t, want), withoutEmpties(got))
			written := string(got.AppendJSON(nil))
			assert.Equal(t, expand(t, v.Written), anyHint(t, v, written))
			assert.ElementsMatch(t, v.Changed, changed(t, want, written))
		})
	}
}

// anyHint returns text with a star for the hint, if the vector allows any hint.
func anyHint(t *testing.T, v vector, text string) string {
	t.Helper()
	if !v.AnyHint {
		return text
	}
	var e toolerr.Error
	require.NoError(t, json.Unmarshal([]byte(text), &e))
	require.NotEmpty(t, e.Hint)
	hint := string((&toolerr.Error{Message: "m", Hint: e.Hint}).AppendJSON(nil))
	_, hint, _ = strings.Cut(hint, `"hint":`)
	return strings.Replace(text, `"hint":`+strings.TrimSuffix(hint, "}"), `"hint":"*"`, 1)
}

// changed lists the members other than isError that differ between given and text, read with
// a plain JSON parser.
func changed(t *testing.T, given map[string]any, text string) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var found map[string]any
	require.NoError(t, d.Decode(&found))
	require.Equal(t, true, found["isError"])
	delete(found, "isError")
	names := []string{}
	for name, value := range given {
		other, ok := found[name]
		if !ok || !assert.ObjectsAreEqual(plainNumbers(t, value), plainNumbers(t, other)) {
			names = append(names, name)
		}
		delete(found, name)
	}
	for name := range found {
		names = append(names, name)
	}
	return names
}

// plainNumbers returns v with float64 for every number that a float64 holds.
func plainNumbers(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out any
	require.NoError(t, d.Decode(&out))
	return numbers(out)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil && (f > -1<<53 && f < 1<<53 || strings.ContainsAny(string(v), "eE")) {
			return f
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}
