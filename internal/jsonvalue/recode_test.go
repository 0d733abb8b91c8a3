package jsonvalue_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

func TestRecode(t *testing.T) {
	t.Parallel()
	endless := map[string]any{}
	endless["again"] = endless
	for name, v := range map[string]any{"endless": endless, "not a number": math.NaN(), "func": func() {}, "number": json.Number("01")} {
		_, err := jsonvalue.Recode(v)
		require.Error(t, err, name)
	}
	object := map[string]any{"list": []any{map[string]any{"a": int64(1) << 60}}}
	copied, err := jsonvalue.Recode(object)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"list": []any{map[string]any{"a": json.Number("1152921504606846976")}}}, copied)
	copied.(map[string]any)["list"].([]any)[0] = "changed" //nolint:errcheck,forcetypeassert // it was one
	assert.Equal(t, map[string]any{"list": []any{map[string]any{"a": int64(1) << 60}}}, object, "it shares nothing")
}

func TestIsZero(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`null`: true, `false`: true, `0`: true, `-0.0e7`: true, `""`: true, `[]`: true, `{}`: true,
		`true`: false, `1e-9`: false, `" "`: false, `[null]`: false, `{"a":null}`: false,
	} {
		v, ok := jsonvalue.Decode([]byte(text))
		require.True(t, ok, text)
		assert.Equal(t, want, jsonvalue.IsZero(v), text)
	}
}
