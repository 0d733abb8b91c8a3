package classify

// A neighbourhood is what the phrases of a clause say of those that follow in it.
type neighbourhood struct {
	denied   int    // the token behind a negation, or 0
	aside    bool   // behind after, or may: not what failed
	guessed  bool   // behind may: perhaps not even that
	timed    bool   // it is about a time that is over
	named    uint32 // the uses of the names in it
	isAction bool   // what was tried: a failure is named behind it
}

// A sentence is what has to be known of one before its phrases are weighed.
type sentence struct {
	colons int  // the most that stand before a clause of it
	advice bool // it is for the reader
	denied bool // what follows its last colon denies something, or says something of its own
}

// maxDenial is how many words may stand between a negation and what it denies: no open
// and merged requests found.
const maxDenial = 5

// weighPhrases takes each phrase with its neighbourhood.
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

// survey looks at the clauses before the phrases in them are weighed.
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
	for _, h := range r.hits {
		clause := r.tokens[h.first].clause
		c, near := r.clauses[clause], &r.around[clause]
		near.timed = near.timed || h.row.class == timedOut
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

// weigh makes a phrase a clue, if it says of the failure what its row has.
func (r *reader) weigh(i int, h *hit, near *neighbourhood) {
	c := r.clauses[r.tokens[h.first].clause]
	lies := r.fitOf(h)
	if c.quoted && !c.speech || lies == inside || lies == ending && (h.row.class.retryable() || r.isInCode(h)) {
		return // it is the name of something
	}
	denied := near.denied > 0 && h.first-near.denied < maxDenial
	score := r.score(h, c)
	row := h.row
	switch {
	case row.use == ifNot && !denied, !r.holds(h, near):
		return
	case row.use == ifNot && near.named&(1<<access) != 0 && row.class != precondition: // no token provided
		r.found(unauthenticated, score+4, false)
		return
	case row.use == ifNot && near.isAction:
		score = scoreTried
	case row.use == ifNot:
	case !row.class.retryable():
		if denied && h.first == near.denied { // not invalid
			return
		}
		switch isState := classes[row.class].Category == business; {
		case isState && near.guessed:
			r.isTaken = true
			return
		case isState && near.timed && row.language != english[0].language: // what is used up is the time
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
		return // what follows says otherwise
	}
	r.found(r.inState(h, near), score, false)
}

// inState returns the class of a phrase, which is a state if something has to be the case
// before: must be stopped before, has to be a draft first, must be an admin.
//
// What alone is allowed says that something else was asked for.
func (r *reader) inState(h *hit, near *neighbourhood) class {
	if h.row.use == ifNot && h.row.class == precondition && isOnly(r.text(near.denied-1)) {
		return invalid
	}
	if h.row.class != invalid || h.row.language != english[0].language {
		return h.row.class
	}
	switch r.text(h.first) {
	case "must", "has", "have", "needs":
		for i := h.last + 1; i < len(r.tokens) && r.tokens[i].clause == r.tokens[h.last].clause; i++ {
			switch r.text(i) {
			case "before", "first":
				return precondition
			case "admin", "administrator", "owner", "maintainer", "moderator", "member":
				return denied
			}
		}
	}
	return invalid
}

// holds reports whether the clause of a phrase has what its row asks for.
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

// isOnly reports whether a word says that what follows is all there is.
func isOnly(word string) bool {
	switch word {
	case "only", "nur", "solo", "solamente", "unicamente", "soltanto", "apenas", "somente", "только", "лишь":
		return true
	}
	return false
}

// score is how clearly a phrase says what failed. What follows the last colon of a
// sentence is the cause of what stands before it.
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

// takeBack notes a word that takes a repeat back. Of several the first that says what
// stands in the way counts. The name of what was tried is none, as in "fetching payment
// failed: ...", but what was done is.
func (r *reader) takeBack(h *hit, near *neighbourhood) {
	c := r.clauses[r.tokens[h.first].clause]
	isDone := h.row.class == unknown
	switch {
	case near.isAction && !isDone, c.listed, c.quoted:
		return
	case isDone && near.denied > 0 && h.first-near.denied < maxDenial: // could not be sent
		return
	}
	r.isTaken = true
	if h.row.class == limit {
		r.plans++
	}
	if r.taken == unknown && !r.sentences[c.sentence].advice {
		r.taken = h.row.class
	}
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

// isOther reports whether a phrase is about something that does not come back, as the
// offer timed out, or is no program: the room is unavailable.
func (r *reader) isOther(i int) bool {
	class, about := r.hits[i].row.class, things
	if class == timedOut {
		about = ends
	} else if class != unavailable && class != replyLost {
		return false
	}
	at := r.hits[i].first
	for j := i - 1; j >= 0 && r.clauseOf(r.hits[j]) == r.clauseOf(r.hits[i]); j-- {
		switch before := r.hits[j]; {
		case before.first == r.hits[i].first:
		case before.last < at-1:
			return false
		case before.row.use == about:
			r.isTaken = true
			return true
		case before.row.use == states:
			at = before.first
		}
	}
	return false
}

// isAll reports whether a phrase is all of its clause, and long enough to say by itself
// what is the matter: overloaded, but not down.
func (r *reader) isAll(h *hit) bool {
	const long = 8 // bytes
	if r.tokens[h.last].end-r.tokens[h.first].start < long {
		return false
	}
	clause := r.tokens[h.first].clause
	return (h.first == 0 || r.tokens[h.first-1].clause != clause) && (h.last+1 == len(r.tokens) || r.tokens[h.last+1].clause != clause)
}

func (r *reader) clauseOf(h hit) int { return r.tokens[h.first].clause }

// isCounted reports whether a phrase is about things that are counted: 3 tests timed
// out.
func (r *reader) isCounted(h *hit) bool {
	if h.row.class == throttled { // 100 requests per minute
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

// isTimeout reports whether the word timeout names a failure, and no setting: it ends a
// short clause, or something follows that has happened.
func (r *reader) isTimeout(h *hit) bool {
	clause, before := r.tokens[h.first].clause, 0
	for i := h.first - 1; i >= 0 && r.tokens[i].clause == clause; i-- {
		before++
	}
	const far, short = 4, 3
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

// text is a token as phrases see it.
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
