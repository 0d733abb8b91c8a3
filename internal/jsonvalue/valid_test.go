package jsonvalue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
		"many beside one another":  {"[" + strings.Repeat("[],", 5000) + "{}]", true},
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
