package sanitize_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

func TestEnds_NoRoom(t *testing.T) {
	t.Parallel()
	for limit := range 20 {
		for _, text := range []string{"\xd0", "ab", strings.Repeat("é", 40)} {
			assert.NotPanics(t, func() { _ = sanitize.Ends(text, limit) }, "%d: %q", limit, text)
		}
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	long := "head" + strings.Repeat("é", 3000) + "tail"
	for name, test := range map[string]struct{ text, head, tail string }{
		"short":        {"as it is", "as it is", "as it is"},
		"unclean":      {"\x1b[31mred\x1b[0m", "red", "red"},
		"long":         {long, "headé", "étail"},
		"invalid":      {"head" + strings.Repeat("\xff", 5000) + "tail", "head", "tail"},
		"only escapes": {strings.Repeat("\x1b[31m", 5000) + "words", "words", "words"},
	} {
		got := sanitize.Ends(test.text, sanitize.MaxLength)
		assert.True(t, strings.HasPrefix(got, test.head), "%s: %.20s", name, got)
		assert.True(t, strings.HasSuffix(got, test.tail), name)
		assert.LessOrEqual(t, len(got), sanitize.MaxLength, name)
		assert.True(t, utf8.ValidString(got), name)
		assert.Equal(t, got, sanitize.Text(got, sanitize.MaxLength), "%s: text for an envelope", name)
		assert.Equal(t, name == "long" || name == "invalid", strings.Contains(got, " … "), name)
	}
}
