package evidence

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nouns are the words before a name that a verdict does not quote: column o.emial, for table orders.
const nouns = " table relation column function view index schema database sequence procedure object type " +
	"name named reference identifier expression alias "

// fillers follow a noun and are no names. Words in capitals that say what the verdict is are none either.
const fillers = " or and of is in on to for does must may has cannot not with was already specified calls functions count list requires definition permission error sql sqlstate ora "

// verbs begin a statement.
const verbs = " select with insert update delete merge replace create alter drop truncate explain show describe pragma call exec " +
	"execute use values grant revoke set begin match "

func isOneOf(list, word string) bool {
	return word != "" && strings.Contains(list, " "+strings.ToLower(word)+" ")
}

// judged returns the argument that a verdict of a service is about, and the name in it. The service
// names something that stands in the argument, and names no table that stands in none, or it names
// nothing at all, and the argument is a statement.
func (a *Arguments) judged(verdict string) (found *leaf, name string) {
	names := namesIn(verdict[:min(len(verdict), maxVerdict)])
	isInTable := false // what was found
	for _, n := range names {
		l := a.find(statements(n.text), len(n.text))
		switch {
		case l == nil && n.isTable:
			return nil, ""
		case l != nil && (found == nil || isInTable):
			found, name, isInTable = l, strings.Trim(strings.Fields(n.text)[0], "\"'`"), n.isTable
			if !strings.Contains(strings.ToLower(l.text), strings.ToLower(name)) {
				name = name[strings.LastIndexByte(name, '.')+1:]
			}
		}
	}
	if len(names) == 0 {
		found = a.find([]spelling{func(l *leaf) bool {
			first, rest, _ := strings.Cut(l.text, " ")
			return l.kind == '"' && rest != "" && isOneOf(verbs, first)
		}}, 0)
	}
	return found, name
}

// maxVerdict is how much of a verdict is read, in bytes. Names are at the beginning; what follows
// may quote the whole statement.
const maxVerdict = 1 << 10

// A named is what a verdict names.
type named struct {
	text    string
	isTable bool
}

// namesIn returns what a verdict names: quoted text, a word behind a noun, and a word with a dot or at
// the end behind a colon; or else the words in capitals, which are of the language.
func namesIn(text string) (list []named) {
	text = strings.NewReplacer("`.`", ".", `"."`, ".", "].[", ".").Replace(text)
	var keywords []named
	noun, last := "", rune(' ')
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if closing := closingQuote(c); closing != 0 && !isAlnum(before) {
			if n := quotedEnd(text, end, closing); n > end && strings.TrimSpace(text[end:n]) != "" {
				list = append(list, named{text[end:n], isTable(noun)})
				end, c, noun = n+utf8.RuneLen(closing), closing, ""
			}
		} else if isAlnum(c) {
			end = i + strings.IndexFunc(text[i:]+" ", func(r rune) bool { return !isAlnum(r) && r != '.' && r != '$' && r != '#' })
			word := strings.TrimRight(text[i:end], ".")
			isEnd := last == ':' && strings.Trim(strings.TrimLeft(text[end:], "()"), " (0123456789).") == ""
			switch {
			case isOneOf(fillers, word), isOneOf(nouns, word):
			case noun != "", isEnd, word == "transaction", strings.Contains(word, ".") && !unicode.IsDigit(c):
				list = append(list, named{word, isTable(noun)})
			case len(word) > 1 && word == strings.ToUpper(word) && word != strings.ToLower(word):
				keywords = append(keywords, named{text: word})
			}
			if noun = ""; isOneOf(nouns, word) {
				noun = word
			}
		}
		if c != ' ' {
			last = c
		}
		i = end
	}
	if list == nil {
		return keywords
	}
	return list
}

func isTable(noun string) bool { return isOneOf(" table relation ", noun) }

func closingQuote(c rune) rune {
	switch c {
	case '"', '\'', '`':
		return c
	case '“':
		return '”'
	case '«':
		return '»'
	}
	return 0
}

// quotedEnd returns where the text ends that is quoted from i on, or i.
func quotedEnd(text string, i int, quote rune) int {
	for at, r := range text[i:] {
		if next, _ := utf8.DecodeRuneInString(text[i+at+utf8.RuneLen(r):] + " "); r == quote && !isAlnum(next) {
			return i + at
		}
	}
	return i
}

// statements returns the spellings of what a verdict names: an argument or an item of a list that
// is the name or begins with it, and a request that contains it. Of a name with dots, the last part
// suffices.
func statements(name string) []spelling {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return nil
	}
	last := name[strings.LastIndexByte(strings.TrimRight(name, "."), '.')+1:]
	return []spelling{
		func(l *leaf) bool {
			return l.kind == '"' && slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(l.text), isSeparator), func(item string) bool {
				first, _, _ := strings.Cut(strings.TrimSpace(item), " ")
				return first == name || first == last || item == name
			})
		},
		func(l *leaf) bool {
			if l.kind != '"' || !isRequest(l.text) {
				return false
			}
			text := strings.ToLower(l.text)
			if strings.ContainsFunc(name, unicode.IsSpace) { // may be cut off
				return strings.Contains(text, name)
			}
			return holds(text, name) || holds(text, last)
		},
	}
}

// isRequest reports whether a text is in a language of queries, patterns or expressions.
func isRequest(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return isOneOf(verbs, first) || strings.ContainsAny(text, "=<>*();{}[]$|\\^")
}

// malformed returns the argument in which a JSON decoder finds the same error.
func (a *Arguments) malformed(e *json.SyntaxError) *leaf {
	return a.find([]spelling{func(l *leaf) bool {
		if l.kind != '"' || !strings.ContainsRune("{[", rune(l.text[0])) {
			return false
		}
		same, ok := json.Unmarshal([]byte(l.text), new(any)).(*json.SyntaxError) //nolint:errorlint // what the decoder returns
		return ok && same.Offset == e.Offset && same.Error() == e.Error()
	}}, 0)
}
