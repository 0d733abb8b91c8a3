// Package texts classifies the text of a failure in eleven languages: [Read] returns a [Reading].
// Only it reads prose, except for a limit's period in a reply.
//
// The text is cut into clauses at punctuation marks. Each table phrase in a clause, each HTTP
// status and each code is a clue to a class. A phrase after the last colon is clearer than one
// before it, which may name what was tried. Some phrases count only after a negation, or beside a
// noun such as token. A phrase for a temporary failure does not count after words such as not, if,
// after and may, or as the value of a JSON member. Some refusals beside words such as right now
// only forbid a repeat. The clearest clue wins, but clear ones for lasting failures take
// precedence, and then any for temporary ones. A repeat is allowed only if nothing in the text
// forbids it: no clue for a lasting failure, and no phrase about finished work, quotas, policies,
// who may call, bugs or failures of something else. Words in quoted names, paths, URLs and file
// names do not count. The effect is never none, because words prove nothing.
package texts

import (
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Reading is the classification of the failure that a text reports.
type Reading struct {
	class.Classification

	// Forbids reports whether the text forbids a repeat, even if the failure is not classified.
	Forbids bool
}

// Read classifies the text of a failure. Only the beginning and the end of a long text are read.
// Read is safe for concurrent use.
func Read(text string) Reading {
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	r.read(text)
	return r.reading()
}

// readers is a pool of readers, which reuse their buffers.
var readers = sync.Pool{New: func() any { return new(reader) }}

// A reader reads one text.
type reader struct {
	scan

	hits    []hit
	around  []neighbourhood // one for each clause
	colons  []int           // for each sentence, the maximum number of colons before a clause
	lasting clue            // the clearest clue that forbids a repeat
	passing clue            // the clearest clue that does not
	forbids bool
	isRate  bool // a limit in the text is one that passes: per minute
}

// A hit is a phrase in the text.
type hit struct {
	meaning     *meaning
	first, last int // tokens
}

// A clue is a class that a part of the text indicates, and how clearly.
type clue struct {
	class class.Class
	score int
}

// A neighbourhood records how the phrases of a clause affect one another.
type neighbourhood struct {
	denied int  // the token after a negation, or 0
	aside  bool // what follows did not happen, or is not the failure
	tried  bool // the clause names what was tried, and ends in a colon
	nouns  kind
	thing  int // the token after the last thing
}

// The scores of clues. A phrase scores four times its rank, plus any bonuses.
const (
	scoreCode   = 22
	scoreStatus = 20
	scoreClear  = 12 // the minimum score of a clear clue
	scoreVague  = 9  // a vague code, or a status that services also send for other reasons
	scoreTried  = 1  // what was tried: it counts only if there is no other clue
)

const (
	// maxDenial is the maximum distance, in words, from a negation to what it negates, as in no
	// pending and merged requests found. It is the distance in this example.
	maxDenial = 5
	// maxState is the maximum number of words between a thing and its state, as in the offer has
	// since timed out. It is the number in this example.
	maxState = 2
	// maxPause is the maximum delay of a rate limit; a longer one suggests a plan's limit. Most
	// rate limits are per minute.
	maxPause = 2 * time.Minute
)

func (r *reader) read(text string) {
	r.scan.read(text)
	*r = reader{scan: r.scan, hits: r.hits[:0], around: r.around[:0], colons: r.colons[:0]}
	for range r.clauses {
		r.around = append(r.around, neighbourhood{})
	}
	r.findPhrases()
	shown := r.findCodes()
	r.weighPhrases()
	r.findStatuses()
	for _, c := range shown {
		r.found(c.class, c.score)
	}
}

// findPhrases finds the longest phrases, from left to right.
func (r *reader) findPhrases() {
	b, end := book(), 0
	for i, t := range r.tokens {
		for at := t.start; at < t.end; at++ {
			if at < end || at > t.start && (t.kind != runToken || !utf8.RuneStart(r.norm[at])) { // inside a phrase, a word or a character
				continue
			}
			m, n, steps := b.longest(r.norm[at:])
			r.steps += steps
			if m == 0 {
				continue
			}
			end = at + n
			last := i
			for last+1 < len(r.tokens) && r.tokens[last+1].start < end {
				last++
			}
			for ; m != 0; m = b.meanings[m].next {
				r.hits = append(r.hits, hit{meaning: &b.meanings[m], first: i, last: last})
			}
		}
	}
}

// weighPhrases evaluates each phrase in its clause.
func (r *reader) weighPhrases() {
	for _, c := range r.clauses {
		for len(r.colons) <= c.sentence {
			r.colons = append(r.colons, c.colons)
		}
		r.colons[c.sentence] = max(r.colons[c.sentence], c.colons)
	}
	others := len(r.tokens)
	for _, h := range r.hits {
		clause := r.tokens[h.first].clause
		if (h.meaning.use == tried || h.meaning.use == says) && r.tokens[h.first].kind == wordToken {
			others -= h.last - h.first + 1
		}
		near := &r.around[clause]
		if h.meaning.use == noun && !r.isInName(&h) {
			near.nouns |= h.meaning.needs
		}
		near.tried = near.tried || r.clauses[clause].labels && (h.meaning.use == tried || h.meaning.use == negates)
	}
	for i := range r.hits {
		h := &r.hits[i]
		near := &r.around[r.tokens[h.first].clause]
		switch h.meaning.use {
		case negates:
			near.denied = h.last + 1
		case aside:
			near.aside, near.denied = true, 0
		case forbids: // unless it was not done
			r.forbids = r.forbids || !near.isDenied(h)
		case rate:
			r.isRate = true
		case noun:
			if h.meaning.needs == kinds["thing"] {
				near.thing = h.last + 1
			}
		case says, ifNot:
			if others <= 0 && h.meaning.class == class.Invalid && h.meaning.rank == 2 { // what is invalid?
				r.found(class.Internal, scoreTried)
				continue
			}
			r.weigh(h, near)
		case mask, tried:
		}
	}
}

// isDenied reports whether a negation shortly precedes a phrase.
func (n *neighbourhood) isDenied(h *hit) bool { return n.denied > 0 && h.first-n.denied < maxDenial }

// weigh adds a phrase's clue if its clause meets the conditions of its meaning.
func (r *reader) weigh(h *hit, near *neighbourhood) {
	m, c := h.meaning, r.clauses[r.tokens[h.first].clause]
	denied := near.isDenied(h)
	said, score := m.class, int(m.rank)*4
	if c.colons > 0 && c.colons == r.colons[c.sentence] {
		score += 2
	}
	switch {
	case m.use == ifNot && !denied, m.needs&^near.nouns != 0:
		return
	case m.missed(near.nouns) != m.class: // no token provided, a review is required
		said, score = m.missed(near.nouns), score+4
	case near.nouns&kinds["soon"] != 0 && (m.class == class.Precondition || m.class == class.Denied || m.class == class.NotFound): // disabled right now
		r.forbids = true
		return
	case !m.class.Retryable() && near.tried:
		score = scoreTried
	case !m.class.Retryable():
	case denied, near.aside, c.member, r.isInName(h):
		return
	case near.thing > 0 && h.first-near.thing <= maxState: // the offer timed out
		r.forbids = true
		return
	}
	r.found(said, score)
}

func (r *reader) found(c class.Class, score int) {
	to := &r.lasting
	if c.Retryable() {
		to = &r.passing
	}
	if c != class.Unknown && score > to.score {
		*to = clue{c, score}
	}
}

// reading combines the clues into a Reading.
func (r *reader) reading() Reading {
	lasting, passing := r.lasting, r.passing
	if r.isRate && lasting.class == class.Limit {
		lasting, passing = clue{}, clue{class.Throttled, lasting.score}
	}
	if passing.class != class.Unknown && lasting.score == scoreTried {
		lasting = clue{}
	}
	out := Reading{Forbids: lasting.class != class.Unknown || r.forbids}
	if passing.class != class.Unknown && !out.Forbids {
		out.Classification = passing.class.Classification()
		out.Effect, out.After = class.EffectUnknown, r.delay()
		return out
	}
	after := r.delay()
	isPause := passing.class == class.Throttled && lasting.class == class.Limit && after > 0 && after <= maxPause
	if passing.class == class.Unknown || lasting.score >= scoreClear && !isPause {
		passing = lasting
	}
	out.Classification = passing.class.Classification()
	if out.Retryable = false; out.Effect == class.EffectNone {
		out.Effect = ""
	}
	return out
}

// text returns the normalized text of a token, or an empty string if there is no such token.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return string(r.norm[r.tokens[i].start:r.tokens[i].end])
}
