package texts

import (
	"bytes"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// maxFar is the maximum number of words after a phrase that are read. Chosen: clauses have
// about ten.
const maxFar = 12

// wentWell reports whether the text before a contrast names no failure, so that something
// was done: the order was placed, but the confirmation timed out.
func (r *reader) wentWell(h *hit) bool {
	return h.at > 0 && h.at <= r.failure && !r.clauses[r.tokens[h.first].clause].quoted
}

// saysFailure reports whether phrases of a use name a failure.
func saysFailure(u use) bool {
	switch u { //nolint:exhaustive // the others do not
	case says, ifNot, ifSystem, ifConnection, ifAccess, ifNamed, ifAlone, timeoutWord, negates, fails, attempts:
		return true
	default:
		return false
	}
}

// surveyWork finds the first failure, and the end of the first clause that names none and
// ends in a participle: User invited; the mail timed out. The text before a colon is what
// was attempted.
func (r *reader) surveyWork() {
	r.failure, r.work = len(r.norm), len(r.tokens)
	for _, h := range r.hits {
		if saysFailure(h.row.use) {
			r.failure = min(r.failure, h.at)
		}
		if saysFailure(h.row.use) || h.row.use == doubts {
			r.around[r.clauseOf(h)].fails = true
		}
	}
	for i := 1; i+1 < len(r.tokens); i++ {
		c := r.tokens[i].clause
		if r.tokens[i+1].clause == c || r.tokens[i-1].clause != c || r.around[c].fails {
			continue
		}
		word := r.norm[r.tokens[i].start:r.tokens[i].end]
		if mark := r.clauses[c].ended; (mark == ',' || mark == ';' || mark == '.') && bytes.HasSuffix(word, []byte("ed")) {
			r.work = i
			return
		}
	}
}

// isInPlace reports whether a place follows the phrase: unavailable for customers in
// Germany.
func (r *reader) isInPlace(h *hit) bool {
	if h.row.class == class.Throttled || h.row.language != english[0].language {
		return false
	}
	clause := r.tokens[h.first].clause
	for i := h.last + 1; i+1 < len(r.tokens) && i <= h.last+maxFar && r.tokens[i+1].clause == clause; i++ {
		if first := r.next(r.tokens[i+1].from); r.is(i, "in") && unicode.IsUpper(first) {
			return true
		}
	}
	return false
}
