package servertest

import (
	"slices"
	"strings"
)

// identifierWords lists words that end the names of identifiers.
var identifierWords = []string{
	"id", "ids", "uuid", "guid", "slug", "sku", "ticker", "path", "paths", "filename", "file", "filepath", "isbn", "iban",
}

// otherWords lists words in names that end like an identifier's but mean something else: a value
// that the caller chooses, a new thing, or an output.
var otherWords = []string{
	"idempotency", "correlation", "request", "trace", "session", "output", "out", "dest",
	"destination", "target", "new", "xpath", "jsonpath",
}

// isIdentifier reports whether an argument identifies something that may not exist: its format or
// the last word of its name says so.
func (s schema) isIdentifier(name string) bool {
	words := wordsOf(name)
	if s.Node["enum"] != nil || s.Node["const"] != nil || hasWord(name, otherWords) {
		return false
	}
	return s.text("format") == "uuid" || len(words) > 0 && slices.Contains(identifierWords, words[len(words)-1])
}

// absent returns an identifier that fits the schema but probably does not exist, or nil.
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

// altered changes an identifier's digits, its letters if it has no digits, or a path's file name,
// so that it most likely does not exist but keeps its form.
func altered(id string) string {
	if slash := strings.LastIndexAny(id, `/\`); slash >= 0 && !strings.Contains(id, "://") {
		return id[:slash+1] + "does-not-exist-94817"
	}
	hasDigits := strings.ContainsAny(id, "0123456789")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '0' + (r-'0'+7)%10
		case r >= 'a' && r <= 'z' && !hasDigits:
			return 'a' + (r-'a'+16)%26
		case r >= 'A' && r <= 'Z' && !hasDigits:
			return 'A' + (r-'A'+16)%26
		}
		return r
	}, id)
}
