package result

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// quotedValue returns the argument whose value a text quotes, or of several that it quotes
// together, such as owner and name, the last.
func quotedValue(text string, sent map[string]any) (field string) {
	quoted, last := quotedSpans(text), -1
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		value := toText(sent[name])
		isQuoted := slices.ContainsFunc(quoted, func(span string) bool {
			return span == value || slices.Contains(strings.Split(span, "/"), value) && isMadeOf(span, sent)
		})
		if !isQuoted && isTelling(value) {
			isQuoted = hasWord(text, value)
		}
		if at := strings.Index(text, value); value != "" && isQuoted && at > last {
			field, last = name, at
		}
	}
	return field
}

// toText returns a text or a number as a sentence has it.
func toText(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	text, _ := v.(string)
	return text
}

// isMadeOf reports whether each part of a path is a value that was sent.
func isMadeOf(path string, sent map[string]any) bool {
	for part := range strings.SplitSeq(path, "/") {
		found := false
		for _, v := range sent {
			found = found || part != "" && toText(v) == part
		}
		if !found {
			return false
		}
	}
	return true
}

// isTelling reports whether a value is hardly in a sentence by accident. Chosen: words of
// prose have no such signs in them, and counts are shorter than five digits.
func isTelling(value string) bool {
	if len(value) < 5 {
		return false
	}
	return strings.ContainsAny(value, "/@_#:") || strings.IndexFunc(value, unicode.IsDigit) >= 0 && strings.IndexFunc(value, unicode.IsSpace) < 0
}

// maxQuotes is how many quotations of a text are looked at. Chosen: a sentence has a few.
const maxQuotes = 50

// quotation is a span in quotes.
var quotation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"([^\"\n]{1,300})\"|`([^`\n]{1,300})`|(?:^|[\\s(=:\\[,])'([^'\n]{1,300})'")
})

// quotedSpans returns what a text quotes, without the names of members in JSON.
func quotedSpans(text string) (spans []string) {
	for _, m := range quotation().FindAllStringSubmatchIndex(text, maxQuotes) {
		if strings.HasPrefix(text[m[1]:], ":") {
			continue
		}
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				spans = append(spans, text[m[group]:m[group+1]])
			}
		}
	}
	return spans
}

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		i += from
		from = i + len(word)
		if isWord(text, i, from) {
			return true
		}
	}
}

// isWord reports whether text[from:to] is no part of a longer word or name.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return !slices.ContainsFunc([]rune{before, behind}, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}
