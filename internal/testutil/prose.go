package testutil

import "strings"

// OutsideQuotes returns a text without its quoted parts.
func OutsideQuotes(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
