package classify

import "strings"

// sqlStateIn classifies by the SQLSTATE that a text shows as such, as the drivers of
// PostgreSQL write it: behind the word, in parentheses, brackets or none. Only the
// ends of a long text are looked at.
func sqlStateIn(text string) class {
	if len(text) > textHead+textTail {
		if c := sqlStateIn(text[len(text)-textTail:]); c != unknown {
			return c
		}
		text = text[:textHead]
	}
	_, rest, ok := strings.Cut(text, "SQLSTATE")
	if !ok {
		return unknown
	}
	rest = strings.TrimLeft(rest, ":=[( ")
	if len(rest) < 5 || len(rest) > 5 && isAlnum(rest[5]) {
		return unknown
	}
	return fromSQLState(rest[:5], text)
}
