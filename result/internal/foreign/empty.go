package foreign

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// isEmpty reports whether a JSON value is the result of a search without hits: it is empty, its
// message says so, or its lists are empty and its other members are zero or describe the search.
func isEmpty(v any) bool {
	if n, ok := size(v); ok && n == 0 {
		return true
	}
	m, _ := v.(map[string]any)
	if s, ok := m["message"].(string); ok && len(m) <= 3 && isNothing(s) {
		return true // {"status": "success", "message": "No rows found."}
	}
	lists, empty := emptyLists(v, 0)
	return lists && empty
}

// emptyLists reports whether a value has a list, down to maxDepth, that is not a supplement. It
// also reports whether all lists are empty, and every other member, such as a count, is zero or only
// describes a search.
func emptyLists(v any, depth int) (lists, empty bool) {
	const maxDepth = 4 // enough for an answer, its statements and their rows; a list with more than maxEmpty items is data
	m, isObject := v.(map[string]any)
	if list, ok := v.([]any); ok {
		hasData := func(v any) bool { lists, empty := emptyLists(v, depth+1); return !lists || !empty }
		return true, len(list) <= maxEmpty && !slices.ContainsFunc(list, hasData)
	}
	if !isObject || depth > maxDepth {
		return false, answers.IsZero(v)
	}
	empty = true
	for name, v := range m {
		name = strings.ToLower(name)
		_, isText := v.(string)
		isIn := func(part string) bool { return strings.Contains(name, part) }
		isLabel := isText && (strings.HasSuffix(name, "id") || strings.HasSuffix(name, "type"))
		described := isLabel || spelling.Means(name, spelling.Search) ||
			slices.ContainsFunc([]string{"search", "filter", "query", "conditions"}, isIn)
		n, isContainer := size(v)
		switch {
		case spelling.Means(name, spelling.Further) && (n == 0 || described):
		case isContainer:
			has, isEmpty := emptyLists(v, depth+1)
			lists, empty = lists || has, empty && (isEmpty || !has && described)
		default:
			empty = empty && (answers.IsZero(v) || described)
		}
	}
	return lists, empty // whatever the order of the members
}

// size returns the number of values in a list or an object, and reports whether v is one.
func size(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// nothingText holds the phrases for a search without hits, one language per line.
//
//go:embed nothing.txt
var nothingText string

// A nothingTable holds the phrases, in lower case, with a space where a word must begin or end.
type nothingTable struct {
	rows []nothingRow
	// the words of each phrase in alone and none that begins a word, by its first byte; a space follows each whole word
	from [256][][][]byte
}

type nothingRow struct{ alone, none, found, not []string }

var nothing = sync.OnceValue(func() *nothingTable {
	t := new(nothingTable)
	for line := range strings.Lines(strings.ReplaceAll(nothingText, "_", " ")) {
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(columns) != 5 || line[0] == '#' {
			continue
		}
		split := func(i int) []string { return strings.Split(columns[i], "|") }
		t.rows = append(t.rows, nothingRow{split(1), split(2), split(3), split(4)})
		for _, phrase := range append(split(1), split(2)...) {
			if word, ok := strings.CutPrefix(phrase, " "); ok {
				t.from[word[0]] = append(t.from[word[0]], bytes.SplitAfter([]byte(word), []byte(" ")))
			}
		}
	}
	return t
})

// isNothing reports whether a short text says that nothing was found: one of its lines does, and
// none except headings has a nonzero number or a row of data.
func isNothing(text string) bool {
	const longest = 600 // bytes, enough for a heading, a sentence and advice
	says := false
	if len(text) > longest || !maySayNothing(text) {
		return false
	}
	if strings.ContainsAny(text, "「『“«„\"'`(") {
		text = quotes().ReplaceAllString(text, " ")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isHeading := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**")
		isData := strings.ContainsAny(line, "123456789|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "[{")
		if !isHeading && isData {
			return false
		}
		says = says || saysNothing(string(plain(nil, line)))
	}
	return says
}

// maySayNothing reports whether text has every word of a phrase or may be unspaced, like Chinese.
func maySayNothing(text string) bool {
	const unspaced = 0xE1 // the first byte of letters in such languages, and of rare letters
	words, phrases := plain(make([]byte, 0, 256), text), &nothing().from
	lacks := func(word []byte) bool { return !bytes.Contains(words, word) }
	isIn := func(phrase [][]byte) bool { return !slices.ContainsFunc(phrase, lacks) }
	for i, c := range words[1:] {
		if c >= unspaced || words[i] == ' ' && len(phrases[c]) > 0 && slices.ContainsFunc(phrases[c], isIn) {
			return true
		}
	}
	return false
}

// saysNothing reports whether a sentence contains a phrase of the table.
func saysNothing(sentence string) bool {
	in := func(phrases []string) bool {
		return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(sentence, phrase) })
	}
	return slices.ContainsFunc(nothing().rows, func(row nothingRow) bool {
		return (in(row.alone) || in(row.none) && in(row.found)) && !in(row.not)
	})
}

// plain appends the words of a text in lower case, with one space before, between and after them.
func plain(b []byte, text string) []byte {
	b = append(b, ' ')
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z':
			b = append(b, byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	return append(bytes.TrimSuffix(b, []byte(" ")), ' ')
}

// quotes matches text in quotes or parentheses: a name or an example.
var quotes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("「[^」]*」|『[^』]*』|“[^”]*”|«[^»]*»|„[^“]*“|\"[^\"]*\"| '[^']*'|`[^`]*`|\\([^)]*\\)")
})
