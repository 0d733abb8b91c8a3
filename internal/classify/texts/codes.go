package texts

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// findCodes finds the codes in a text: a SQLSTATE, and words that are spelled like codes.
func (r *reader) findCodes() {
	end := 0
	for i, t := range r.tokens {
		if t.kind == placeToken || t.kind == runToken || t.from < end {
			continue
		}
		if c := r.sqlState(i); c != class.Unknown {
			r.showCode(c, t)
			continue
		}
		end = identifierEnd(r.src, t.from)
		word := r.src[t.from:end]
		r.steps += len(word)
		if t.kind == wordToken && len(word) < maxIdentifier && r.isCode(word, t.from, end) {
			r.showCode(codes.FromWord(word), t)
		}
	}
}

func (r *reader) showCode(c class.Class, t token) {
	switch {
	case c == class.Unknown || c == class.Internal || r.clauses[t.clause].quoted && (c.Retryable() || !r.clauses[t.clause].shown):
	case c == class.Invalid:
		r.found(c, scoreVague, false)
	default:
		r.found(c, scoreCode, true)
	}
}

// isInCode reports whether a phrase is part of a code, which is classified as a whole.
func (r *reader) isInCode(h *hit) bool {
	from := r.tokens[h.first].from
	to := identifierEnd(r.src[:min(len(r.src), from+maxIdentifier)], from)
	for from > 0 && to-from < maxIdentifier && (codes.IsAlnum(r.src[from-1]) || r.src[from-1] == '_') {
		from--
	}
	r.steps += to - from
	word := r.src[from:to]
	return len(word) > r.tokens[h.last].to-r.tokens[h.first].from && r.isCode(word, from, to) && codes.FromWord(word) != class.Unknown
}

// maxIdentifier is the maximum length of a code in bytes. Chosen: the longest codes of the
// cloud APIs have about sixty.
const maxIdentifier = 80

// identifierEnd returns where the identifier that begins at i ends.
func identifierEnd(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9':
		case c == '.' && i+1 < len(text) && text[i+1]|0x20 >= 'a' && text[i+1]|0x20 <= 'z':
		default:
			return i
		}
		i++
	}
	return i
}

// isCode reports whether a word is spelled like a code: in capitals with underscores or in
// CamelCase at any place, in another spelling only at a place for codes.
func (r *reader) isCode(word string, from, end int) bool {
	var lower, upper, camel, underscore bool
	for i := range len(word) {
		c := word[i]
		isUp := c >= 'A' && c <= 'Z'
		camel = camel || isUp && i > 0 && word[i-1] >= 'a' && word[i-1] <= 'z'
		upper, lower, underscore = upper || isUp, lower || c >= 'a' && c <= 'z', underscore || c == '_'
	}
	return upper && !lower && underscore || camel && codes.IsUpper(word[0]) || r.isCodePlace(from, end)
}

// isCodePlace reports whether a place is one for codes: alone in brackets, after the words
// code or reason, before the first colon, or at the end.
func (r *reader) isCodePlace(from, end int) bool {
	at, first := from, max(0, from-24)
	for at > first && (r.src[at-1] == ' ' || r.src[at-1] == '\'' || r.src[at-1] == '"') {
		at--
	}
	head := r.src[first:at]
	if head != "" && strings.IndexByte("([<:=,0123456789", head[len(head)-1]) < 0 {
		return false
	}
	before, after := r.next(from-1), r.next(end)
	isLast := end == len(r.src)
	switch {
	case closers[before] == after && after != 0 && before != '"' && before != '\'', before == '<' && after == '>':
		return true
	case strings.Trim(r.src[:min(from, len(head)+1)], "0123456789 ") == "" && from <= len(head)+1: // gRPC puts a number before it
		return after == ':' || isLast
	case strings.HasSuffix(head, ",") && isLast:
		return strings.HasPrefix(r.src, "googleapi: ")
	}
	return r.isCodeLabel(head, after, end)
}

// isCodeLabel reports whether the text before a code labels it as one.
func (r *reader) isCodeLabel(head string, after rune, end int) bool {
	if !strings.HasSuffix(head, ":") && !strings.HasSuffix(head, "=") {
		return false
	}
	head = strings.ToLower(strings.TrimRight(head[:len(head)-1], " '\""))
	for _, name := range []string{"code", "reason", "error", "type", "error occurred", "status"} {
		if strings.HasSuffix(head, name) {
			isLast := end == len(r.src) && strings.Contains(r.src[max(0, end-maxIdentifier):end], "_")
			return after != ' ' || isLast || name == "code" || r.next(end+1) == '('
		}
	}
	return false
}

// sqlState classifies the SQLSTATE that token i introduces, as the drivers of PostgreSQL
// (SQLSTATE 23505), PDO (SQLSTATE[42S02]) and MySQL (1205 (HY000)) write it.
func (r *reader) sqlState(i int) class.Class {
	if i+1 >= len(r.tokens) {
		return class.Unknown
	}
	t, next := r.tokens[i], r.tokens[i+1]
	isNumber := t.kind == numberToken && strings.HasPrefix(r.src[t.to:], " (")
	if !isNumber && !r.is(i, "sqlstate") {
		return class.Unknown
	}
	const length = 5
	end := identifierEnd(r.src, next.from)
	if end-next.from != length || strings.Trim(r.src[t.to:next.from], "[(: =") != "" || isNumber && r.next(end) != ')' {
		return class.Unknown
	}
	return codes.FromSQLState(strings.ToUpper(r.src[next.from:end]), r.src)
}
