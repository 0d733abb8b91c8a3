package testutil

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Vector is an entry of write.json, read.json or schema.json in toolerr/testdata, whose
// README describes them.
type Vector struct {
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

// Vectors returns the vectors of a file.
func Vectors(t *testing.T, file string) []Vector {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	var all []Vector
	require.NoError(t, d.Decode(&all))
	names := map[string]bool{}
	for _, v := range all {
		require.False(t, names[v.Name], "%s: duplicate name %q", file, v.Name)
		names[v.Name] = true
	}
	require.NotEmpty(t, all)
	return all
}

// Expand expands the forms that stand for long values and for values that JSON cannot represent.
func Expand(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		require.NoError(t, err)
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = Expand(t, v[i])
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
			out[key] = Expand(t, item)
		}
		return out
	}
	return v
}

func form(t *testing.T, name string, of any) any {
	t.Helper()
	switch name {
	case "$integer":
		return json.Number(As[string](t, of))
	case "$json":
		return json.RawMessage(As[string](t, of))
	case "$bytes":
		raw, err := hex.DecodeString(As[string](t, of))
		require.NoError(t, err)
		return string(raw)
	}
	items := As[[]any](t, Expand(t, of))
	switch name {
	case "$repeat":
		require.Len(t, items, 2)
		return strings.Repeat(As[string](t, items[0]), int(As[float64](t, items[1])))
	case "$times":
		require.Len(t, items, 2)
		list := make([]any, int(As[float64](t, items[1])))
		for i := range list {
			list[i] = items[0]
		}
		return list
	case "$join":
		var b strings.Builder
		for _, item := range items {
			b.WriteString(As[string](t, item))
		}
		return b.String()
	}
	t.Fatalf("unknown form %s", name)
	return nil
}

// As returns v as a T, or the zero T if v is nil. It fails the test if v has any other type.
func As[T any](t *testing.T, v any) T {
	t.Helper()
	out, ok := v.(T)
	require.True(t, ok || v == nil, "%v should be a %T", v, out)
	return out
}
