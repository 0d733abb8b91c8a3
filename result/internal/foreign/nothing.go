package foreign

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
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
	state, _ := m["status"].(string) // of a job, such as running, is data: what it finds is not known yet
	s := search{labels: []string{"id", "type", "version"}}
	s.data = state != "" && !spelling.Means(state, spelling.Done, spelling.Search)
	s.read("", v)
	return s.lists && !s.data && !s.failed && (s.counts || !s.numbers)
}

// A search is what a value is made of that may be the result of one.
type search struct {
	lists   bool     // a list that is not a supplement
	data    bool     // an item, or a text that does not only describe the search
	failed  bool     // an error, which describes nothing
	counts  bool     // a count of zero
	numbers bool     // other numbers and flags, which only describe the search if it has counted
	labels  []string // ends of names that only describe: in a list, an id is that of a record
}

// read reads a member.
func (s *search) read(name string, v any) {
	name = spelling.Fold(name)
	n, isContainer := size(v)
	described := describes(name)
	if isContainer && spelling.Means(name, spelling.Further) && (n == 0 || described || name == "vars") {
		return
	}
	s.failed = s.failed || saysWhat(name, v)
	s.counts = s.counts || !isContainer && answers.IsCounted(name) && isNone(v)
	switch v := v.(type) {
	case []any:
		hasData := func(v any) bool {
			item := search{labels: []string{"type", "version"}}
			item.read("", v)
			return !item.lists || item.data || item.failed || item.numbers
		}
		s.lists, s.data = true, s.data || slices.ContainsFunc(v, hasData)
	case map[string]any:
		part := search{labels: s.labels}
		for name, v := range v {
			part.read(name, v)
		}
		s.failed = s.failed || part.failed
		if part.lists || !described {
			s.lists, s.data = s.lists || part.lists, s.data || part.data
			s.numbers, s.counts = s.numbers || part.numbers, s.counts || part.counts
		}
	case string:
		isLabel := slices.ContainsFunc(s.labels, func(end string) bool { return strings.HasSuffix(name, end) })
		s.data = s.data || v != "" && v != "0" && !described && (!isLabel || name == "id") && !isTimestamp(v) &&
			!isNothing(v)
	default:
		s.numbers = s.numbers || !jsonvalue.IsZero(v) && !described
	}
}

func isTimestamp(s string) bool { return len(s) > len("2006-01-") && s[4] == '-' && s[7] == '-' }

func isNone(v any) bool { return v == "0" || v != "" && jsonvalue.IsZero(v) }

// describes reports whether a member says what is searched for, or how.
func describes(name string) bool {
	isIn := func(part string) bool { return strings.Contains(name, part) }
	return slices.ContainsFunc([]string{"@", "search", "filter", "query", "conditions"}, isIn) ||
		spelling.Means(name, spelling.Search, spelling.Hint)
}

// saysWhat reports whether a member is an object or a list of errors with a message.
func saysWhat(name string, v any) bool {
	n, _ := size(v)
	isError := strings.Contains(name, "error") || spelling.Means(name, spelling.ItemError) || name == "exception"
	return n > 0 && isError && answers.Read(map[string]any{"errors": v}).Message() != ""
}

// size returns the number of values in a list or an object, and reports whether v is one.
func size(v any) (n int, ok bool) {
	list, isList := v.([]any)
	m, isObject := v.(map[string]any)
	return len(list) + len(m), isList || isObject
}

// nothingText holds the phrases for a search without hits, one language per line.
//
//go:embed nothing.txt
var nothingText string

// A phrase is one of the table, in lower case, with a space where a word must begin or end.
type phrase struct {
	text        []byte
	row, column int
}

// The columns of the table, and its maximum number of rows.
const (
	alone = iota + 1 // after the language
	none
	found
	not
	maxRows = 32
)

// phrases holds the phrases that begin a word, and those that begin anywhere, by their first letter.
var phrases = sync.OnceValue(func() *[2][256][]phrase {
	from := new([2][256][]phrase)
	for row, line := range slices.Collect(strings.Lines(strings.ReplaceAll(nothingText, "_", " "))) {
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		for column := alone; column < len(columns) && line[0] != '#'; column++ {
			for text := range strings.SplitSeq(columns[column], "|") {
				word, begins := strings.CutPrefix(text, " ")
				at := &from[map[bool]int{false: 1}[begins]][word[0]]
				*at = append(*at, phrase{[]byte(text), row, column})
			}
		}
	}
	return from
})

// isNothing reports whether a short text says that nothing was found: one of its lines does, and
// none except headings has a row of data, or a nonzero number without a clause before that says so.
func isNothing(text string) (says bool) {
	const longest = 600 // bytes, enough for a heading, a sentence and advice
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	if len(text) > longest || spelling.Means(first, spelling.Certain) { // Added X. No other copies found.
		return false
	}
	for _, q := range [][2]string{ // what is in quotes or parentheses is a name or an example
		{"「", "」"}, {"『", "』"}, {"„", "“"}, {"“", "”"}, {"«", "»"}, {`"`, `"`}, {" '", "'"}, {"`", "`"}, {"(", ")"},
	} {
		for {
			before, rest, _ := strings.Cut(text, q[0])
			_, after, closed := strings.Cut(rest, q[1])
			if !closed {
				break
			}
			text = before + " " + after
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isHeading := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**")
		number := strings.IndexAny(line, "123456789|") // of what was sought, after one clause that says nothing was found
		isClause := !strings.ContainsAny(strings.TrimRight(line, "."), ".,;:!?|")
		isNamed := number > 0 && isClause && saysNothing(line[:number])
		isData := number >= 0 && !isNamed || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "[{")
		if !isHeading && isData {
			return false
		}
		says = says || saysNothing(line)
	}
	return says
}

// saysNothing reports whether a sentence has the phrases of a row of the table. It is searched in lower case, with one
// space before, between and after its words.
func saysNothing(text string) bool {
	sentence := append(make([]byte, 0, 256), ' ')
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			sentence = utf8.AppendRune(sentence, unicode.ToLower(r))
		} else if sentence[len(sentence)-1] != ' ' {
			sentence = append(sentence, ' ')
		}
	}
	sentence = append(bytes.TrimSuffix(sentence, []byte(" ")), ' ')
	var has [maxRows][not + 1]bool
	from := phrases()
	for i, c := range sentence {
		begun := from[1][c]
		if c == ' ' && i+1 < len(sentence) {
			begun = from[0][sentence[i+1]]
		}
		for _, p := range begun {
			has[p.row][p.column] = has[p.row][p.column] || bytes.HasPrefix(sentence[i:], p.text)
		}
	}
	return slices.ContainsFunc(has[:], func(row [not + 1]bool) bool {
		return (row[alone] || row[none] && row[found]) && !row[not]
	})
}
