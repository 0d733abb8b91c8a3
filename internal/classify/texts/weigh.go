package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A neighbourhood is the effect of a clause's phrases on those that follow in it.
type neighbourhood struct {
	denied   int    // the token after a negation, or 0
	aside    bool   // after "after" or "may": not the failure
	guessed  bool   // after "may": perhaps did not happen
	fails    bool   // a failure is named
	timed    bool   // about time that is up
	named    uint32 // the uses of the names in it, one bit each
	isAction bool   // what was attempted: the failure follows
}

// A sentence holds the properties of a sentence that the weights of its phrases depend on.
type sentence struct {
	colons int  // the maximum number of colons before one of its clauses
	advice bool // advice for the reader
	denied bool // the part after its last colon negates something, or makes a statement of its own
}

// maxDenial is the maximum number of words between a negation and what it negates: no open
// and merged requests found. Chosen.
const maxDenial = 5

// weighPhrases evaluates each phrase in its neighbourhood.
func (r *reader) weighPhrases() {
	r.survey()
	for i := range r.hits {
		h := &r.hits[i]
		near := &r.around[r.tokens[h.first].clause]
		switch h.row.use {
		case negates, fails:
			near.denied = h.last + 1
			r.denies = r.denies || h.row.use == negates
		case subordinates, doubts:
			near.aside, near.denied = true, 0
			near.guessed = h.row.use == doubts && h.row.rank > 0
		case explains:
			near.aside, near.guessed, near.denied = false, false, 0
		case advises:
			if c := r.tokens[h.first].clause; h.first == 0 || r.tokens[h.first-1].clause != c {
				r.sentences[r.clauses[c].sentence].advice = true
			}
		case takesBack:
			r.takeBack(h, near)
		case contrasts:
			r.forbids = r.forbids || r.wentWell(h)
		case isRate:
			r.isRate = true
		case asks:
			r.asks = true
		case says, ifNot, ifSystem, ifConnection, ifAccess, ifNamed, ifAlone, timeoutWord:
			r.weigh(i, h, near)
		case nothing, system, connection, access, label, ends, things, states, names, attempts:
		}
	}
}

// survey reads the properties of clauses and sentences before their phrases are weighed.
func (r *reader) survey() {
	r.around, r.sentences = r.around[:0], r.sentences[:0]
	for _, c := range r.clauses {
		r.around = append(r.around, neighbourhood{})
		for len(r.sentences) <= c.sentence {
			r.sentences = append(r.sentences, sentence{})
		}
		if !c.quoted {
			r.sentences[c.sentence].colons = max(r.sentences[c.sentence].colons, c.colons)
		}
	}
	r.surveyWork()
	for _, h := range r.hits {
		clause := r.tokens[h.first].clause
		c, near := r.clauses[clause], &r.around[clause]
		near.timed = near.timed || h.row.class == class.TimedOut
		switch of := &r.sentences[c.sentence]; h.row.use { //nolint:exhaustive // the others are weighed later
		case system, connection, access, label:
			near.named |= 1 << h.row.use
		case fails, attempts:
			near.isAction = near.isAction || c.ended == ':'
		case negates, states:
			of.denied = of.denied || c.colons > 0 && c.colons == of.colons && !c.quoted
		default:
		}
	}
}

// weigh adds a clue for a phrase if its neighbourhood satisfies its row.
func (r *reader) weigh(i int, h *hit, near *neighbourhood) {
	c := r.clauses[r.tokens[h.first].clause]
	lies := r.fitOf(h)
	if c.quoted && !c.speech || lies == inside || lies == ending && (h.row.class.Retryable() || r.isInCode(h)) {
		return // part of a name
	}
	denied := near.denied > 0 && h.first-near.denied < maxDenial
	score := r.score(h, c)
	row := h.row
	switch {
	case row.use == ifNot && !denied, !r.holds(h, near):
		return
	case row.use == ifNot && near.named&(1<<access) != 0 && row.class != class.Precondition: // no token provided
		r.found(class.Unauthenticated, score+4, false)
		return
	case row.use == ifNot && near.isAction:
		score = scoreTried
	case row.use == ifNot:
	case !row.class.Retryable():
		if denied && h.first == near.denied { // not invalid
			return
		}
		switch isState := row.class.Classification().Category == class.Business; {
		case isState && near.guessed:
			r.forbids = true
			return
		case isState && near.timed && row.language != english[0].language: // the time is used up
			return
		}
		if near.aside {
			score -= 4
		}
		if near.isAction {
			score = scoreTried
		}
	case denied, near.aside, c.quoted, c.listed, r.isName(i), r.isCounted(h), r.isOther(i):
		return
	case c.colons < r.sentences[c.sentence].colons && r.sentences[c.sentence].denied:
		return // the part after the colon contradicts it
	}
	said := r.inState(h, near)
	r.found(said, score, false)
	r.forbids = r.forbids || said.Retryable() && (r.work < h.first || r.isInPlace(h))
}

// holds reports whether the clause of a phrase satisfies its row's use.
func (r *reader) holds(h *hit, near *neighbourhood) bool {
	names := func(u use) bool { return near.named&(1<<u) != 0 }
	switch h.row.use { //nolint:exhaustive // the others ask for nothing
	case timeoutWord:
		return r.isTimeout(h)
	case ifNamed:
		return names(label)
	case ifAlone:
		return r.isAll(h)
	case ifSystem:
		return names(system) || r.isAll(h)
	case ifConnection:
		return names(connection)
	case ifAccess:
		return names(access)
	default:
		return true
	}
}

// score returns how clearly a phrase names the failure. The text after a sentence's last
// colon is the cause of the text before it.
func (r *reader) score(h *hit, c clause) int {
	score := h.row.rank * 4
	if c.colons > 0 && c.colons == r.sentences[c.sentence].colons {
		score += 2
	}
	if c.sentence == 0 {
		score++
	}
	if c.quoted {
		score -= 3
	}
	if r.sentences[c.sentence].advice || c.listed {
		score -= 8
	}
	return score
}

// maxNoun is the maximum rank of words that do not forbid a repeat if they name what was
// attempted. Chosen.
const maxNoun = 2

// takeBack records a phrase that forbids a repeat. The first one with a reason applies. A
// phrase that names what was attempted, as in "fetching payment failed: ...", does not
// count, but one that states what was done does.
func (r *reader) takeBack(h *hit, near *neighbourhood) {
	c := r.clauses[r.tokens[h.first].clause]
	isDone := h.row.class == class.Unknown
	switch {
	case near.isAction && !isDone && h.row.rank <= maxNoun, c.listed, c.quoted, r.fitOf(h) != whole && r.isInCode(h):
		return
	case isDone && near.denied > 0 && h.first-near.denied < maxDenial: // could not be sent
		return
	}
	r.forbids = true
	if h.row.class == class.Limit {
		r.plans++
	}
	if r.reason == class.Unknown && !r.sentences[c.sentence].advice {
		r.reason = h.row.class
	}
}

func (r *reader) clauseOf(h hit) int { return r.tokens[h.first].clause }

// text returns the normalized text of a token, or an empty string if there is no such
// token.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return string(r.norm[r.tokens[i].start:r.tokens[i].end])
}

// is reports whether a token is a word.
func (r *reader) is(i int, word string) bool {
	return i >= 0 && i < len(r.tokens) && string(r.norm[r.tokens[i].start:r.tokens[i].end]) == word
}
