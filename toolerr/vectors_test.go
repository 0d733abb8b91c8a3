package toolerr_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
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

// wireName returns the key of a field of Error, Attempt or Partial.
func wireName(field string) string {
	renamed := map[string]string{
		"Category": "errorCategory", "Retryable": "isRetryable", "RetryAfter": "retryAfterMs", "Elapsed": "elapsedMs", "CorrelationID": "correlationId",
	}
	if name, ok := renamed[field]; ok {
		return name
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// fromMembers returns an Error with the members of a vector.
func fromMembers(t *testing.T, m map[string]any) *toolerr.Error {
	t.Helper()
	e := new(toolerr.Error)
	setFields(t, reflect.ValueOf(e).Elem(), m)
	return e
}

func setFields(t *testing.T, to reflect.Value, m map[string]any) {
	t.Helper()
	known := 0
	for i := range to.NumField() {
		field := to.Type().Field(i)
		v, ok := m[wireName(field.Name)]
		if !ok || !field.IsExported() {
			continue
		}
		known++
		if f, isFloat := v.(float64); isFloat && field.Name == "ContinueFrom" { // decoded as a json.Number
			v = json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
		setValue(t, to.Field(i), v)
	}
	require.Len(t, m, known, "%v has an unknown member", m)
}

func setValue(t *testing.T, to reflect.Value, v any) {
	t.Helper()
	switch to.Interface().(type) {
	case time.Duration:
		to.SetInt(int64(min(math.Round(as[float64](t, v)*float64(time.Millisecond)), math.MaxInt64-1023))) // the largest float64 below
		return
	case json.RawMessage:
		to.SetBytes(jsonOf(t, v))
		return
	}
	switch to.Kind() { //nolint:exhaustive // an Error has no others
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		setFields(t, to.Elem(), as[map[string]any](t, v))
	case reflect.Struct:
		setFields(t, to, as[map[string]any](t, v))
	case reflect.Slice:
		for _, v := range as[[]any](t, v) {
			item := reflect.New(to.Type().Elem()).Elem()
			setValue(t, item, v)
			to.Set(reflect.Append(to, item))
		}
	case reflect.Int:
		to.SetInt(int64(as[float64](t, v)))
	case reflect.String:
		to.SetString(as[string](t, v))
	default:
		if v != nil {
			to.Set(reflect.ValueOf(v))
		}
	}
}

// jsonOf returns v as JSON without HTML escaping.
func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	raw, err := jsonvalue.Marshal(v)
	require.NoError(t, err)
	return raw
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
				t.Skip("the counts do not fit an int of 32 bits") // TestUnmarshalJSON_Counts has them
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
			written := string(got.AppendJSON(nil))
			assert.Equal(t, expand(t, v.Written), anyHint(t, v, written))
			assert.ElementsMatch(t, v.Changed, changed(t, want, written))
			if len(got.Options)+len(got.Details) == 0 { // empty or nil
				got.Options, got.Details = nil, nil
			}
			assert.Equal(t, fromMembers(t, want), &got)
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
	return strings.Replace(text, `"hint":`+string(jsonOf(t, e.Hint)), `"hint":"*"`, 1)
}

// changed lists the members other than isError that differ between given and text.
func changed(t *testing.T, given map[string]any, text string) (names []string) {
	t.Helper()
	canonical := func(v any) string {
		raw, err := jsonvalue.Canonical(json.RawMessage(jsonOf(t, v)))
		require.NoError(t, err)
		return string(raw)
	}
	var found map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	require.Equal(t, "true", string(found["isError"]))
	delete(found, "isError")
	for name, value := range given {
		if other, ok := found[name]; !ok || canonical(value) != canonical(other) {
			names = append(names, name)
		}
		delete(found, name)
	}
	return slices.AppendSeq(names, maps.Keys(found))
}
