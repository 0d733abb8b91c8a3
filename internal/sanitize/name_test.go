package sanitize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

func TestName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "items[].sku": "items[].sku", "größe": "größe", "देवनागरी": "देवनागरी", "-2.5e+10": "-2.5e+10", "a/b~c": "a/b~c", "50%": "50%",
		"First name": `"First name"`, "a\nb": `"a\nb"`, `a"b`: `"a\"b"`, "a\u202eb": `"ab"`, "a\xffb": `"a�b"`, "a;b": `"a;b"`, "a\u00a0b": `"a\u00a0b"`, "می\u200cخواهم": "\"می\u200cخواهم\"", "\u200d\u200c": "\"\u200d\u200c\"", "\\u200d \u200d\n": "\"\\\\u200d \u200d\\n\"",
		strings.Repeat("x", 300): `"` + strings.Repeat("x", 253) + `…"`,
	} {
		assert.Equal(t, want, sanitize.Name(text))
	}
}

func TestWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"not_found": "not_found", "Not Found": "Not Found", "a\nb": "", "a\tb": "", "a\x00b": ""} {
		assert.Equal(t, want, sanitize.Word(text))
	}
}
