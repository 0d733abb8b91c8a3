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
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

func TestValid(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/valid.txt", func(sample string) string {
		return map[bool]string{true: "valid"}[jsonvalue.Valid([]byte(testutil.Repeat(sample)))]
	})
	assert.False(t, jsonvalue.Valid([]byte("\"a\xff\"")), "invalid UTF-8")
	assert.Equal(t, 990, jsonvalue.MaxNesting, "the depth in testdata/valid.txt")
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
	testutil.Recorded(t, "testdata/canonical.txt", func(sample string) string {
		one, other, _ := strings.Cut(sample, " | ")
		a, b := canonical(t, json.RawMessage(one)), canonical(t, json.RawMessage(other))
		assert.Equal(t, a, canonical(t, json.RawMessage(a)), sample)
		assert.Equal(t, a == b, jsonvalue.Same(json.RawMessage(one), json.RawMessage(other)), sample)
		assert.Equal(t, a == b && jsonvalue.IsNumber(one), jsonvalue.SameNumber(one, other), sample)
		return a + map[bool]string{false: " | " + b}[a == b]
	})
	for _, b := range []string{"040", "0040", "", "0x"} { // no number
		assert.False(t, jsonvalue.SameNumber("40", b) || jsonvalue.SameNumber(b, "40") || jsonvalue.SameNumber("040", b), b)
	}
	object := map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}
	spelled := `{"list":[4e1],"n":4e1}`
	assert.Equal(t, []byte(spelled), []byte(canonical(t, object)), "the spelling counts")
	assert.Equal(t, map[string]any{"n": json.Number("40.0"), "list": []any{json.Number("4e1")}}, object,
		"it is not changed")
	assert.Equal(t, canonical(t, struct{ N float64 }{40}), canonical(t, map[string]any{"N": 40}))
	assert.Equal(t, "\"a\ufffd<&>\"", canonical(t, "a\xff<&>"))
	for _, v := range []any{
		make(chan int), map[string]any{"a": func() {}}, []any{make(chan int)}, json.Number("x"), json.RawMessage("{"),
	} {
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
		text := strconv.FormatInt(r.Int64N(2000)-1000, 10) + "." +
			strings.Repeat("0", r.IntN(3)) + strconv.Itoa(r.IntN(300)) + strings.Repeat("0", r.IntN(3))
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
	for name, v := range map[string]any{
		"endless": endless, "not a number": math.NaN(), "func": func() {}, "number": json.Number("01"),
	} {
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
		`null`: "null true", `false`: "boolean true", `0`: "number true", `-0.0e7`: "number true", `""`: "string true",
		`[]`: "array true", `{}`: "object true",
		`true`: "boolean false", `1e-9`: "number false", `" "`: "string false", `[null]`: "array false",
		`{"a":null}`: "object false",
	} {
		v, ok := jsonvalue.Decode([]byte(text))
		require.True(t, ok, text)
		assert.Equal(t, want, fmt.Sprint(jsonvalue.TypeOf(v), " ", jsonvalue.IsZero(v)), text)
	}
}
