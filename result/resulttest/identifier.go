package resulttest

import (
	"slices"
	"strings"
)

// identifierWords are the last words in the names of identifiers.
var identifierWords = []string{"id", "ids", "uuid", "guid", "slug", "sku", "ticker", "path", "paths", "filename", "file", "filepath", "isbn", "iban"}

// otherWords are words in names that end like an identifier but are something else: chosen by
// the caller, new, or an output.
var otherWords = []string{"idempotency", "correlation", "request", "trace", "session", "output", "out", "dest", "destination", "target", "new", "xpath", "jsonpath"}

var nameWords = lazy(`[A-Z]+[a-z]*|[a-z]+|[0-9]+`)

// isIdentifier reports whether an argument identifies one thing, which may exist or not: by
// its format, or by the last word of its name.
func (s schema) isIdentifier(name string) bool {
	if s.Node["enum"] != nil || s.Node["const"] != nil {
		return false
	}
	words := nameWords().FindAllString(name, -1)
	for i, word := range words {
		words[i] = strings.ToLower(word)
		if slices.Contains(otherWords, words[i]) {
			return false
		}
	}
	return s.text("format") == "uuid" || len(words) > 0 && slices.Contains(identifierWords, words[len(words)-1])
}

// absent returns an identifier that fits the schema and does not exist.
func (s schema) absent() (any, bool) {
	switch s.kind() {
	case "string":
		return s.sampleText(true), true
	case "integer":
		low, high := s.bounds()
		return max(min(999_999_937, high), low), true
	case "array":
		if s.items().kind() == "string" {
			return []any{s.items().sampleText(true)}, true
		}
	}
	return nil, false
}

// altered returns an identifier of the same form that most likely does not exist: with
// other digits, or other letters if it has no digits, or another file name.
func altered(id string) string {
	if slash := strings.LastIndexAny(id, `/\`); slash >= 0 && !strings.Contains(id, "://") {
		return id[:slash+1] + "does-not-exist-94817"
	}
	const digits, lower, upper = "94817263", "zqxjvkwy", "ZQXJVKWY"
	hasDigit := strings.ContainsAny(id, "0123456789")
	out := []byte(id)
	for i, c := range out {
		var others string
		switch {
		case '0' <= c && c <= '9':
			others = digits
		case hasDigit:
		case 'a' <= c && c <= 'z':
			others = lower
		case 'A' <= c && c <= 'Z':
			others = upper
		}
		if others == "" {
			continue
		}
		if out[i] = others[i%len(others)]; out[i] == c {
			out[i] = others[(i+1)%len(others)]
		}
	}
	return string(out)
}
