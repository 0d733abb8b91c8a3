package jsonvalue_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

func TestValid(t *testing.T) {
	t.Parallel()
	nested := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for name, test := range map[string]struct {
		raw  string
		want bool
	}{
		"object":                   {`{"a":[1,null,"x"]}`, true},
		"space around":             {" [1]\n", true},
		"nothing":                  {"", false},
		"NaN":                      {`{"a":NaN}`, false},
		"cut":                      {`{"a":[1,`, false},
		"doubled":                  {`{"a":1}{"a":1}`, false},
		"a raw newline":            {"\"a\nb\"", false},
		"invalid UTF-8":            {"\"a\xff\"", false},
		"as deep as may be":        {nested(jsonvalue.MaxNesting, strings.Repeat("1,", 2000)+"1"), true},
		"deeper":                   {nested(jsonvalue.MaxNesting+1, strings.Repeat("1,", 2000)+"1"), false},
		"deeper, nothing inside":   {nested(jsonvalue.MaxNesting+1, ""), false},
		"brackets in texts":        {`["` + strings.Repeat(`[{\"\\`, 5000) + `"]`, true},
		"many beside one another":  {"[" + strings.Repeat(`[1],{"a":1},[],`, 5000) + "{}]", true},
		"largest float64":          {`[1.7976931348623157e308,-1.7976931348623157E+308]`, true},
		"over float64":             {`{"a":1e400}`, false},
		"over float64, negative":   {`{"a":[-1.8e308]}`, false},
		"long, over float64":       {strings.Repeat("9", 310), false},
		"long, in range":           {strings.Repeat("9", 300), true},
		"exponent of zeros":        {"1e" + strings.Repeat("0", 400), true},
		"digits after the point":   {"0." + strings.Repeat("1", 5000), true},
		"digits and exponent":      {strings.Repeat("9", 5000) + "e-4900", true},
		"tiny":                     {"1e-999999999999", true},
		"number in a text":         {`"1e400"`, true},
		"deep behind many and few": {"[" + strings.Repeat("[],", 5000) + nested(jsonvalue.MaxNesting, `"\""`) + "]", false},
	} {
		assert.Equal(t, test.want, jsonvalue.Valid([]byte(test.raw)), name)
	}
}

func FuzzValid(f *testing.F) {
	for _, seed := range []string{`{"a":"\"["}`, `[[[]]]`, "\"\xff\"", `["\\",{"[":"]"}]`} {
		f.Add(seed, 1000)
	}
	f.Fuzz(func(t *testing.T, raw string, depth int) {
		if !json.Valid([]byte(raw)) {
			assert.False(t, jsonvalue.Valid([]byte(raw)))
			return
		}
		if jsonvalue.Valid([]byte(raw)) {
			var v any
			assert.NoError(t, json.Unmarshal([]byte(raw), &v), "decoded with float64")
		}
		around := max(0, min(depth, 2*jsonvalue.MaxNesting))
		text := strings.Repeat("[", around) + raw + strings.Repeat("]", around)
		if jsonvalue.Valid([]byte(text)) {
			assert.LessOrEqual(t, around, jsonvalue.MaxNesting)
			assert.True(t, jsonvalue.Valid([]byte(raw)), "what is inside is less deep")
		}
	})
}

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
		"largest exponent":     {`10e2147483647`, `1e2147483648`, true},
		"smallest exponent":    {`0.1e-2147483648`, `1e-2147483649`, true},
		"below the exponents":  {`0.1e-2147483649`, `1e-2147483650`, false},
		"above the exponents":  {`0.1e2147483648`, `1e2147483647`, false},
		"bool":                 {`true`, `1`, false},
		"a name of two values": {`{"a":1,"a":2}`, `{"a":2}`, true},
	} {
		a, b := canonical(t, json.RawMessage(test.a)), canonical(t, json.RawMessage(test.b))
		assert.Equal(t, test.same, a == b, "%s: %s and %s", name, a, b)
		assert.Equal(t, a, canonical(t, json.RawMessage(a)), name)
		assert.Equal(t, test.same, jsonvalue.Same(json.RawMessage(test.a), json.RawMessage(test.b)), name)
		assert.Equal(t, test.same && jsonvalue.IsNumber(test.a), jsonvalue.SameNumber(test.a, test.b), name)
	}
	for _, b := range []string{"040", "0040", "", "0x"} { // no number
		assert.False(t, jsonvalue.SameNumber("40", b) || jsonvalue.SameNumber(b, "40") || jsonvalue.SameNumber("040", b), b)
	}
	object := map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}
	spelled := `{"list":[4e1],"n":4e1}`
	assert.Equal(t, []byte(spelled), []byte(canonical(t, object)), "the spelling counts")
	assert.Equal(t, map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}, object, "it is not changed")
	assert.Equal(t, canonical(t, struct{ N float64 }{40}), canonical(t, map[string]any{"N": 40}))
	assert.Equal(t, "\"a\ufffd<&>\"", canonical(t, "a\xff<&>"))
	for _, v := range []any{make(chan int), map[string]any{"a": func() {}}, []any{make(chan int)}, json.Number("x"), json.RawMessage("{")} {
		_, err := jsonvalue.Canonical(v)
		require.Error(t, err, "%T", v)
		assert.False(t, jsonvalue.Same(v, v) || jsonvalue.Same(v, 1) || jsonvalue.Same(nil, v), "%T", v)
	}
	_, err := jsonvalue.Canonical(json.RawMessage("1e" + strings.Repeat("9", 1<<20))) // does not compute with it
	assert.NoError(t, err)
}

// All spellings of one number have one encoding, and two numbers have two.
func TestCanonical_Numbers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	seen := map[string]string{}
	for range 5_000 {
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
		before, ok := seen[want.RatString()]
		require.True(t, !ok || before == got, "%s is %s, and was %s", text, got, before)
		seen[want.RatString()] = got
		require.Equal(t, got, canonical(t, json.RawMessage(got)))
	}
}

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

func TestIsZero_TypeOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`: "null true", `false`: "boolean true", `0`: "number true", `-0.0e7`: "number true", `""`: "string true", `[]`: "array true", `{}`: "object true",
		`true`: "boolean false", `1e-9`: "number false", `" "`: "string false", `[null]`: "array false", `{"a":null}`: "object false",
	} {
		v, ok := jsonvalue.Decode([]byte(text))
		require.True(t, ok, text)
		assert.Equal(t, want, fmt.Sprint(jsonvalue.TypeOf(v), " ", jsonvalue.IsZero(v)), text)
	}
}
