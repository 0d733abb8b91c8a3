package redact_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

func TestTexts_Remove(t *testing.T) {
	t.Parallel()
	texts := redact.TextsOf([]byte(`{"mail":"ann@example.com","card":4111111111111111,"mode":"perm","list":[{"n":"two\nlines","x":1}],"secret-name":true}`),
		func(name string) bool { return name != "secret-name" }, "key-1")
	for text, want := range map[string]string{
		"no user ann@example.com":                   "no user [argument]",
		`no user "two\nlines"`:                      `no user "[argument]"`,
		"two\nlines of 4111111111111111":            "[argument] of [argument]",
		"xann@example.comx, secret-name and key-1":  "x[argument]x, [argument] and [argument]",
		"perm: permission denied, x of 1, the mail": "[argument]: permission denied, x of 1, the mail",
		"": "",
	} {
		assert.Equal(t, want, texts.Remove(text))
	}
	assert.Equal(t, "secret-name", redact.TextsOf([]byte(`{"secret-name":1}`), nil, "").Remove("secret-name"))
	assert.Equal(t, "no JSON", redact.TextsOf([]byte("no JSON"), nil, "").Remove("no JSON"))
}

// However many texts a call brings, a bounded number of them is looked for.
func TestTextsOf_ManyArguments(t *testing.T) {
	t.Parallel()
	var items []string
	for i := range 5000 {
		items = append(items, strconv.Quote("item "+strconv.Itoa(i)))
	}
	assert.LessOrEqual(t, len(redact.TextsOf([]byte("["+strings.Join(items, ",")+"]"), nil, "")), 1001)
}
