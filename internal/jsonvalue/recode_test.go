package jsonvalue_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// Recode returns the same as Decode after Marshal.
func TestRecode(t *testing.T) {
	t.Parallel()
	type order struct {
		ID     string  `json:"id"`
		Amount float64 `json:"amount"`
	}
	for name, v := range map[string]any{
		"nil": nil, "bool": true, "text": "ORD-7 <&>", "text, not UTF-8": "a\xff", "int": -40, "int64": int64(1) << 60,
		"float": 40.0, "fraction": 0.1, "large": 1e21, "minus zero": math.Copysign(0, -1), "beyond": 9007199254740993.0,
		"number": json.Number("40"), "spelling": json.Number("4e1"), "leading zero": json.Number("-0"),
		"object": map[string]any{"a": []any{1, "b", nil, map[string]any{}}}, "name, not UTF-8": map[string]any{"a\xff": 1},
		"nil object": map[string]any(nil), "nil list": []any(nil), "empty list": []any{},
		"struct": order{"ORD-7", 40}, "struct inside": map[string]any{"order": order{"ORD-7", 40.5}}, "raw": json.RawMessage(` {"a": 1.0}`),
		"typed map": map[string]int{"a": 1}, "time": time.Unix(0, 0).UTC(),
	} {
		raw, err := jsonvalue.Marshal(v)
		require.NoError(t, err, name)
		want, ok := jsonvalue.Decode(raw)
		require.True(t, ok, name)
		got, err := jsonvalue.Recode(v)
		require.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	endless := map[string]any{}
	endless["again"] = endless
	for name, v := range map[string]any{"endless": endless, "not a number": math.NaN(), "func": func() {}, "number": json.Number("01")} {
		_, err := jsonvalue.Recode(v)
		require.Error(t, err, name)
	}
	object := map[string]any{"list": []any{map[string]any{"a": 1}}}
	copied, err := jsonvalue.Recode(object)
	require.NoError(t, err)
	copied.(map[string]any)["list"].([]any)[0] = "changed" //nolint:errcheck,forcetypeassert // it was one
	assert.Equal(t, map[string]any{"list": []any{map[string]any{"a": 1}}}, object, "it shares nothing")
}
