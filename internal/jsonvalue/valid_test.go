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
		around := max(0, min(depth, 2*jsonvalue.MaxNesting))
		text := strings.Repeat("[", around) + raw + strings.Repeat("]", around)
		if jsonvalue.Valid([]byte(text)) {
			assert.LessOrEqual(t, around, jsonvalue.MaxNesting)
			assert.True(t, jsonvalue.Valid([]byte(raw)), "what is inside is less deep")
		}
	})
}
