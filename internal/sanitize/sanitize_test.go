package sanitize_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestText checks what is made of texts, which are written like strings of Go without the quotes. What
// leaves a text as it is has no line.
func TestText(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/texts.txt", func(sample string) string {
		text, err := strconv.Unquote(`"` + testutil.Repeat(sample) + `"`)
		require.NoError(t, err, sample)
		var lines []string
		for _, made := range [][2]string{
			{"text", sanitize.Text(text, 1<<20)},
			{"of 8 bytes", sanitize.Text(text, 8)},
			{"name", sanitize.Name(text)},
			{"identifier", sanitize.Identifier(text)},
			{"word", sanitize.Word(text)},
			{"line", sanitize.Line(text, sanitize.MaxLength)},
		} {
			if made[1] != text {
				lines = append(lines, made[0]+": "+testutil.Shorten(strconv.QuoteToASCII(made[1])))
			}
		}
		return strings.Join(lines, "\n")
	})
	for limit, want := range map[int]string{0: "…", 3: "…", 4: "a…"} {
		assert.Equal(t, want, sanitize.Text("abcdef", limit), limit)
	}
}

// TestText_Characters checks both ends of each range of characters that are removed.
func TestText_Characters(t *testing.T) {
	t.Parallel()
	for r := range rune(0x80) {
		isKept := r >= ' ' && r < 0x7f || r == '\n' || r == '\t'
		assert.Equal(t, isKept, sanitize.Text(string(r), 9) != "", "%U", r)
	}
	for _, r := range "\t\n ~\u00a0\u00ac\u00ae\u0600\u0605\u070f\u200a\u200c\u200d\u2010\u2027\u202f\u205f\u2070\ufe0e\ufe0f\ufe10\ufefe\uff00\U000e1000\U000f0000" {
		assert.Equal(t, string(r), sanitize.Text(string(r), 9), "%U", r)
	}
	for _, r := range "\x00\x08\v\r\x1f\x7f\u0080\u009f\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2064\u2065\u206f\u3164\ufe00\ufe0d\ufeff\ufff9\U000e0001\U000e0041\U000e0100\U000e01ef\U000e0fff" {
		assert.Empty(t, sanitize.Text(string(r), 9), "%U", r)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 2048, sanitize.MaxLength)
	long := "head" + strings.Repeat("é", 3000) + "tail"
	for name, test := range map[string]struct{ text, head, tail string }{
		"short":        {"as it is", "as it is", "as it is"},
		"unclean":      {"\x1b[31mred\x1b[0m", "red", "red"},
		"long":         {long, "headé", "étail"},
		"invalid":      {"head" + strings.Repeat("\xff", 5000) + "tail", "head", "tail"},
		"only escapes": {strings.Repeat("\x1b[31m", 5000) + "words", "words", "words"},
	} {
		got := sanitize.Ends(test.text)
		assert.True(t, strings.HasPrefix(got, test.head), "%s: %.20s", name, got)
		assert.True(t, strings.HasSuffix(got, test.tail), name)
		assert.LessOrEqual(t, len(got), sanitize.MaxLength, name)
		assert.True(t, utf8.ValidString(got), name)
		assert.Equal(t, got, sanitize.Text(got, sanitize.MaxLength), "%s: text for an envelope", name)
		assert.Equal(t, name == "long" || name == "invalid", strings.Contains(got, " … "), name)
	}
	for from := range 4 { // where both cuts may be inside a character
		got := sanitize.Ends(strings.Repeat("x", from) + strings.Repeat("𝄞", 600) + strings.Repeat("y", from))
		want := strings.Repeat("𝄞", (1021-from)/4)
		assert.Equal(t, strings.Repeat("x", from)+want+" … "+want+strings.Repeat("y", from), got)
	}
	exact := strings.Repeat("x", sanitize.MaxLength)
	assert.Equal(t, exact, sanitize.Ends(exact))
	assert.Equal(t, exact[:1021]+" … "+exact[:1021], sanitize.Ends(exact+"x"))
}
