package jsonvalue_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

func canonical(t *testing.T, v any) string {
	t.Helper()
	raw, err := jsonvalue.Canonical(v)
	require.NoError(t, err)
	require.True(t, json.Valid(raw), "%s", raw)
	return string(raw)
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		a, b string
		same bool
	}{
		"fraction":             {`40`, `40.0`, true},
		"exponent":             {`40`, `4e1`, true},
		"exponent, signed":     {`40`, `400.0E-1`, true},
		"exponent, long":       {`40`, `4e0000000000000000000001`, true},
		"small":                {`0.00012`, `1.2e-4`, true},
		"zeros":                {`-0`, `0.000e99999999999999999999`, true},
		"negative":             {`-1.50`, `-15e-1`, true},
		"sign":                 {`1`, `-1`, false},
		"order and space":      {`{"a":1,"b":[1,2]}`, ` {"b" : [1.0, 2], "a" : 1}`, true},
		"inside":               {`{"a":[{"b":1e2}]}`, `{"a":[{"b":100}]}`, true},
		"escapes":              {`"\u0041<"`, `"A\u003c"`, true},
		"order of a list":      {`[1,2]`, `[2,1]`, false},
		"number and text":      {`40`, `"40"`, false},
		"number and its form":  {`4e1`, `"4e1"`, false},
		"null and nothing":     {`{"a":null}`, `{}`, false},
		"case":                 {`{"A":1}`, `{"a":1}`, false},
		"beyond a float64":     {`9007199254740993`, `9007199254740992`, false},
		"digits":               {`1.000000000000000001`, `1.000000000000000002`, false},
		"absurd, the same":     {`1e999999999999999999999`, `1e999999999999999999999`, true},
		"absurd, another":      {`1e999999999999999999999`, `1e999999999999999999998`, false},
		"large, the same":      {`10e999999998`, `1e999999999`, true},
		"bool":                 {`true`, `1`, false},
		"a name of two values": {`{"a":1,"a":2}`, `{"a":2}`, true},
	} {
		a, b := canonical(t, json.RawMessage(test.a)), canonical(t, json.RawMessage(test.b))
		assert.Equal(t, test.same, a == b, "%s: %s and %s", name, a, b)
		assert.Equal(t, a, canonical(t, json.RawMessage(a)), name)
	}
	object := map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}
	spelled := `{"list":[4e1],"n":4e1}`
	assert.Equal(t, []byte(spelled), []byte(canonical(t, object)), "the spelling counts")
	assert.Equal(t, map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}, object, "it is not changed")
	assert.Equal(t, canonical(t, struct{ N float64 }{40}), canonical(t, map[string]any{"N": 40}))
	for _, v := range []any{make(chan int), map[string]any{"a": func() {}}, []any{make(chan int)}, json.Number("x"), json.RawMessage("{")} {
		_, err := jsonvalue.Canonical(v)
		require.Error(t, err, "%T", v)
	}
	_, err := jsonvalue.Canonical(json.RawMessage("1e" + strings.Repeat("9", 1<<20))) // does not compute with it
	assert.NoError(t, err)
}

// All spellings of one number have one encoding, and two numbers have two.
func TestCanonical_Numbers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	seen := map[string]*big.Rat{}
	for range 20_000 {
		text := strconv.FormatInt(r.Int64N(2000)-1000, 10) + "." + strings.Repeat("0", r.IntN(3)) + strconv.Itoa(r.IntN(300)) + strings.Repeat("0", r.IntN(3))
		if r.IntN(2) == 0 {
			text += "e" + strconv.Itoa(r.IntN(9)-4)
		}
		want, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		got := canonical(t, json.RawMessage(text))
		same, ok := new(big.Rat).SetString(got)
		require.True(t, ok)
		require.Zero(t, want.Cmp(same), "%s became %s", text, got)
		if before, ok := seen[want.RatString()]; ok {
			require.Equal(t, before.RatString(), want.RatString())
		}
		seen[want.RatString()] = want
		require.Equal(t, got, canonical(t, json.RawMessage(got)))
	}
}

// Texts are encoded as Marshal encodes them, without invalid UTF-8.
func TestCanonical_Texts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "ORD-7", "<&>", `a"b\c`, "a\tb", "é", "\u2028", "\x7f", "\x00"} {
		want, err := jsonvalue.Marshal(map[string]any{text: text})
		require.NoError(t, err)
		assert.Equal(t, string(want), canonical(t, map[string]any{text: text}))
	}
	assert.Equal(t, canonical(t, "a\ufffd"), canonical(t, "a\xff"))
}
