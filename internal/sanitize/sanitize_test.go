package sanitize_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

func TestText(t *testing.T) {
	t.Parallel()
	title := "\x1b]0;" + strings.Repeat("x", 4<<10-4) // of 4096 bytes
	for text, want := range map[string]string{
		"":                                         "",
		"a\nb\tc":                                  "a\nb\tc",
		"a\x00b\x07c\x7fd\u0085e\r\nf":             "abcde\nf",
		"a\xffb\xc3":                               "a\ufffdb\ufffd",
		"\x1b[31;1mred\x1b[0m \u009b1mbold":        "red bold",
		"\x1b[ q\x1b[1~a\x1b[?25lb\x1b[3/@c":       "abc", // the ends of the ranges of bytes
		"a\x1b[31":                                 "a",
		"a\x1b[31\n":                               "a\n",
		"\x1b[\x7fa\x1b[\u00e9":                    "aé",
		"a\x1b(Bb\x1bcd\x1b7e\x1b~f\x1b":           "abdef",
		"\x1b /0a\x1b\x1fb\x1b\n":                  "ab\n",
		"\x1b]8;;https://x.org\x1b\\a\x1b]8;;\a":   "a",
		"\x1bPq\x1b\\a\x1bXq\aa\x1b^q\aa\x1b_q\aa": "aaaa",
		"\x1b]0;it stays":                          "0;it stays",
		"\x1b]\aa\x1b]\x1b\\b":                     "ab",
		"\x1b]0;a\x1b[1mb\a":                       "0;ab",
		title + "\a.":                              ".",
		title + "x\a.":                             title[2:] + "x.",
		"user\u202egnp.exe\u2066x\u2069\u200f":     "usergnp.exex",
		"👨\u200d👩 می\u200cخواهم ☺\ufe0e☺\ufe0f": "👨\u200d👩 می\u200cخواهم ☺\ufe0e☺\ufe0f",
	} {
		assert.Equal(t, want, sanitize.Text(text, 1<<20), "%q", text)
		assert.Equal(t, text == want, sanitize.Identifier(text) == text, "%q", text)
	}
	for text, want := range map[string]string{
		"12345678": "12345678", "123456789": "12345…", "1234567é": "12345…", "123456é": "123456é", "1234é678": "1234…", "ééééé": "éé…", "1234567\x008": "12345678",
	} {
		assert.Equal(t, want, sanitize.Text(text, 8))
	}
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

func TestName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "items[].sku": "items[].sku", "größe": "größe", "देवनागरी": "देवनागरी", "-2.5e+10": "-2.5e+10", "a/b~c": "a/b~c", "50%": "50%",
		"First name": `"First name"`, "a\nb": `"a\nb"`, `a"b`: `"a\"b"`, "a\u202eb": `"ab"`, "a\xffb": `"a�b"`, "a;b": `"a;b"`, "a\u00a0b": `"a\u00a0b"`,
		"می\u200cخواهم": "\"می\u200cخواهم\"", "\u200d\u200c": "\"\u200d\u200c\"", "\\u200d \u200d\n": "\"\\\\u200d \u200d\\n\"",
		strings.Repeat("x", 256): strings.Repeat("x", 256), strings.Repeat("x", 257): `"` + strings.Repeat("x", 253) + `…"`,
	} {
		assert.Equal(t, want, sanitize.Name(text))
	}
}

func TestWord(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", sanitize.MaxLength)
	for text, want := range map[string][2]string{
		"not_found": {"not_found", "not_found"}, "Not Found": {"Not Found", "Not Found"}, "a\nb": {"", "a b"}, "a\tb": {"", "a b"}, "a\x00b": {"", "ab"}, "a\xff": {"", "a\ufffd"},
		longest: {longest, longest}, longest + "x": {"", longest[3:] + "…"},
	} {
		assert.Equal(t, want, [2]string{sanitize.Word(text), sanitize.Line(text, sanitize.MaxLength)})
		assert.Equal(t, want[0] != "" || strings.ContainsAny(text, "\n\t"), sanitize.Identifier(text) == text, "%.20q", text)
	}
}
