package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// inState returns the class of a phrase. A requirement on the state is a precondition: must
// be stopped before, has to be a draft first. A requirement on a role is a permission: must
// be an admin.
//
// "Only ... allowed" means that the argument is invalid.
func (r *reader) inState(h *hit, near *neighbourhood) class.Class {
	if h.row.use == ifNot && h.row.class == class.Precondition && isOnly(r.text(near.denied-1)) {
		return class.Invalid
	}
	if h.row.class != class.Invalid || h.row.language != english[0].language {
		return h.row.class
	}
	switch r.text(h.first) {
	case "must", "has", "have", "needs":
		for i := h.last + 1; i < len(r.tokens) && i <= h.last+maxFar && r.tokens[i].clause == r.tokens[h.last].clause; i++ {
			switch r.text(i) {
			case "before", "first":
				return class.Precondition
			case "admin", "administrator", "owner", "maintainer", "moderator", "member":
				return class.Denied
			}
		}
	}
	return class.Invalid
}

// isOnly reports whether a word means only.
func isOnly(word string) bool {
	switch word {
	case "only", "nur", "solo", "solamente", "unicamente", "soltanto", "apenas", "somente", "только", "лишь":
		return true
	}
	return false
}

// isName reports whether a phrase is part of a name: rate limit policy.
func (r *reader) isName(i int) bool {
	for j := i + 1; j < len(r.hits) && r.hits[j].first <= r.hits[i].last+1; j++ {
		if next := r.hits[j]; next.row.use == names && next.first == r.hits[i].last+1 && r.clauseOf(next) == r.clauseOf(r.hits[i]) {
			return true
		}
	}
	return false
}

// isOther reports whether a phrase has another sense because of its subject: something that
// does not come back, as in "the offer timed out", or is not a program, as in "the room is
// unavailable".
func (r *reader) isOther(i int) bool {
	said, about := r.hits[i].row.class, things
	if said == class.TimedOut {
		about = ends
	} else if said != class.Unavailable && said != class.ReplyLost {
		return false
	}
	at := r.hits[i].first
	for j := i - 1; j >= 0 && r.clauseOf(r.hits[j]) == r.clauseOf(r.hits[i]); j-- {
		switch before := r.hits[j]; {
		case before.first == r.hits[i].first:
		case before.last < at-1:
			return false
		case before.row.use == about:
			r.forbids = true
			return true
		case before.row.use == states:
			at = before.first
		}
	}
	return false
}

// isAll reports whether a phrase is its whole clause and long enough to be clear by itself:
// overloaded, but not down.
func (r *reader) isAll(h *hit) bool {
	const long = 8 // bytes
	if r.tokens[h.last].end-r.tokens[h.first].start < long {
		return false
	}
	clause := r.tokens[h.first].clause
	if h.first > 0 {
		if before := r.tokens[h.first-1].clause; before == clause || before > clause && r.clauses[before].quoted {
			return false // about the quoted text: time zone 'x' is unavailable
		}
	}
	return h.last+1 == len(r.tokens) || r.tokens[h.last+1].clause != clause
}

// isCounted reports whether a phrase is about a number of things: 3 tests timed out.
func (r *reader) isCounted(h *hit) bool {
	if h.row.class == class.Throttled { // 100 requests per minute
		return false
	}
	clause := r.tokens[h.first].clause
	for i := h.first - 1; i >= 0 && i >= h.first-2 && r.tokens[i].clause == clause; i-- {
		if t := r.tokens[i]; t.kind == numberToken && r.statusOf(t) == 0 && r.next(t.from-1) == ' ' {
			return true
		}
	}
	return false
}

// isTimeout reports whether the word timeout names a failure and not a setting: it ends a
// short clause, or a word for an event follows.
func (r *reader) isTimeout(h *hit) bool {
	clause, before := r.tokens[h.first].clause, 0
	const far, short = 4, 3
	for i := h.first - 1; i >= 0 && before <= short && r.tokens[i].clause == clause; i-- {
		before++
	}
	for i := h.last + 1; i < len(r.tokens) && i <= h.last+far; i++ {
		if r.tokens[i].clause != clause {
			break
		}
		switch r.text(i) {
		case "exceeded", "expired", "reached", "elapsed", "waiting", "occurred", "after", "while", "during", "when", "error", "hit":
			return true
		}
		if i == h.last+far {
			return false
		}
	}
	last := h.last+1 >= len(r.tokens) || r.tokens[h.last+1].clause != clause
	return last && before <= short || h.row.language != "en"
}
