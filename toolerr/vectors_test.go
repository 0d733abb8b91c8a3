package toolerr_test

import (
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// wireName returns the key of a field of Error, Attempt or Partial.
func wireName(field string) string {
	renamed := map[string]string{
		"Category": "errorCategory", "Retryable": "isRetryable", "RetryAfter": "retryAfterMs", "Elapsed": "elapsedMs",
		"CorrelationID": "correlationId",
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
		// the largest float64 below
		to.SetInt(int64(min(math.Round(testutil.As[float64](t, v)*float64(time.Millisecond)), math.MaxInt64-1023)))
		return
	case json.RawMessage:
		to.SetBytes(jsonOf(t, v))
		return
	}
	switch to.Kind() { //nolint:exhaustive // an Error has no others
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		setFields(t, to.Elem(), testutil.As[map[string]any](t, v))
	case reflect.Struct:
		setFields(t, to, testutil.As[map[string]any](t, v))
	case reflect.Slice:
		for _, v := range testutil.As[[]any](t, v) {
			item := reflect.New(to.Type().Elem()).Elem()
			setValue(t, item, v)
			to.Set(reflect.Append(to, item))
		}
	case reflect.Int:
		to.SetInt(int64(testutil.As[float64](t, v)))
	case reflect.String:
		to.SetString(testutil.As[string](t, v))
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
	for _, v := range testutil.Vectors(t, "testdata/write.json") {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			given := testutil.As[map[string]any](t, testutil.Expand(t, v.Members))
			text := string(fromMembers(t, given).AppendJSON(nil))
			assert.Equal(t, testutil.Expand(t, v.Wire), anyHint(t, v, text))
			assert.ElementsMatch(t, v.Changed, changed(t, given, text))
		})
	}
}

func TestReadVectors(t *testing.T) {
	t.Parallel()
	for _, v := range testutil.Vectors(t, "testdata/read.json") {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			text := testutil.As[string](t, testutil.Expand(t, v.Text))
			written, want := readVector(t, v, text), testutil.As[map[string]any](t, testutil.Expand(t, v.Members))
			if v.Refused != nil {
				require.Error(t, new(toolerr.Error).UnmarshalJSON([]byte(text)), "without json.Unmarshal's own check")
				return
			}
			assert.Equal(t, testutil.Expand(t, v.Written), anyHint(t, v, written))
			assert.ElementsMatch(t, v.Changed, changed(t, want, written))
		})
	}
}

// TestUnmarshalJSON_Limits checks what is read of envelopes, also of what is unspecified for other
// languages, and what is written of it.
func TestUnmarshalJSON_Limits(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/limits.txt", func(sample string) string {
		e := new(toolerr.Error)
		if err := e.UnmarshalJSON([]byte(testutil.Repeat(sample))); err != nil {
			return err.Error()
		}
		return testutil.Shorten(testutil.Fields(e) + "\n" + string(e.AppendJSON(make([]byte, 4096))[4096:]))
	})
}

// readVector checks that the members of a vector are read from text, and writes them again.
func readVector(t *testing.T, v testutil.Vector, text string) (written string) {
	t.Helper()
	if strconv.IntSize == 32 && v.Name == "counts of a part" {
		t.Skip("the counts do not fit an int of 32 bits")
	}
	var got toolerr.Error
	err := json.Unmarshal([]byte(text), &got)
	if v.Refused != nil {
		require.Error(t, err)
		return ""
	}
	require.NoError(t, err)
	written = string(got.AppendJSON(nil))
	if len(got.Options)+len(got.Details) == 0 { // empty or nil
		got.Options, got.Details = nil, nil
	}
	want := fromMembers(t, testutil.As[map[string]any](t, testutil.Expand(t, v.Members)))
	require.Equal(t, testutil.Fields(want), testutil.Fields(&got), text)
	assert.Equal(t, want, &got)
	return written
}

// What a released version wrote or read is read as then, and its members are kept; its schema accepts what is
// written now.
func TestReleasedVectors(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/v*")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, folder := range folders {
		validate := validator(t, folder+"/envelope.schema.json")
		for _, v := range testutil.Vectors(t, "testdata/write.json") {
			assert.Empty(t, validate(testutil.As[string](t, testutil.Expand(t, v.Wire))), "%s: %s", folder, v.Name)
		}
		for _, v := range append(testutil.Vectors(t, folder+"/write.json"), testutil.Vectors(t, folder+"/read.json")...) {
			t.Run(folder+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				if v.Text != nil {
					_ = readVector(t, v, testutil.As[string](t, testutil.Expand(t, v.Text)))
				}
				if v.Wire == nil && v.Written == nil { // refused
					return
				}
				wire := testutil.As[string](t, testutil.Expand(t, v.Wire)) + testutil.As[string](t, testutil.Expand(t, v.Written))
				var e toolerr.Error
				require.NoError(t, json.Unmarshal([]byte(wire), &e))
				members := map[string]any{}
				names, values := keys(t, []byte(wire))
				for _, name := range names[1:] { // without isError
					members[name] = values[name]
				}
				for _, name := range changed(t, members, string(e.AppendJSON(nil))) {
					assert.NotContains(t, members, name, "lost or changed")
				}
			})
		}
	}
}

// anyHint returns text with a star for the hint, if the vector allows any hint.
func anyHint(t *testing.T, v testutil.Vector, text string) string {
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
