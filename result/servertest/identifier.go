package servertest

import (
	"slices"
	"strings"
)

// identifierWords are the last words in the names of identifiers.
var identifierWords = []string{"id", "ids", "uuid", "guid", "slug", "sku", "ticker", "path", "paths", "filename", "file", "filepath", "isbn", "iban"}

// otherWords are words in names that end like an identifier but are something else: chosen by
// the caller, new, or an output.
var otherWords = []string{"idempotency", "correlation", "request", "trace", "session", "output", "out", "dest", "destination", "target", "new", "xpath", "jsonpath"}

// isIdentifier reports whether an argument identifies one thing, which may exist or not: by
// its format, or by the last word of its name.
func (s schema) isIdentifier(name string) bool {
	words := wordsOf(name)
	if s.Node["enum"] != nil || s.Node["const"] != nil || hasWord(name, otherWords) {
		return false
	}
	return s.text("format") == "uuid" || len(words) > 0 && slices.Contains(identifierWords, words[len(words)-1])
}

// absent returns an identifier that fits the schema and does not exist, or nil.
func (s schema) absent() any {
	switch s.kind() {
	case "string":
		return s.sampleText(true)
	case "integer":
		low, high := s.bounds()
		return max(min(999_999_937, high), low)
	case "array":
		if s.items().kind() == "string" {
			return []any{s.items().sampleText(true)}
		}
	}
	return nil
}

// altered returns an identifier of the same form that most likely does not exist: with
// other digits, or other letters if it has no digits, or another file name.
func altered(id string) string {
	if slash := strings.LastIndexAny(id, `/\`); slash >= 0 && !strings.Contains(id, "://") {
		return id[:slash+1] + "does-not-exist-94817"
	}
	classes := []string{"094817263", "azqxjvkwy", "AZQXJVKWY"} // the first character, and others
	if strings.ContainsAny(id, "0123456789") {
		classes = classes[:1]
	}
	out := []byte(id)
	for i, c := range out {
		for _, class := range classes {
			first, others := class[0], class[1:]
			if c < first || c > first+25 || first == '0' && c > '9' {
				continue
			}
			if out[i] = others[i%len(others)]; out[i] == c {
				out[i] = others[(i+1)%len(others)]
			}
		}
	}
	return string(out)
}
