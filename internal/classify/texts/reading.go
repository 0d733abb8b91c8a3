// Package texts classifies the text of a failure in eleven languages: [Read] returns a [Reading].
// All else that reads prose looks for one thing in it: a limit's period, nothing found, an SDK's refusal.
//
// The text is cut into clauses at punctuation marks. Each phrase in a clause, each HTTP status and each
// code is a clue to a class; phrases/README.md says how phrases affect one another. The clearest clue
// wins, but clear ones for lasting failures take precedence, and then any for temporary ones. A repeat is
// allowed only if nothing in the text forbids it. Words in quoted names, paths, URLs and file names do not
// count. The effect is never none, because words prove nothing.
package texts

import (
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
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
	lasting clue // the clearest clue that forbids a repeat
	passing clue // the clearest clue that does not
	forbids bool
	isRate  bool // a limit in the text is one that passes: per minute

	mayPause bool // the same, if a short delay is named
	broken   bool // a service's answer cannot be used: what is wrong with it is no argument's fault
}

// A hit is a phrase in the text.
type hit struct {
	*phrase

	first, last int // tokens
}

// A clue is a class that a part of the text indicates, and how clearly.
type clue struct {
	class class.Class
	score int
}

// The scores of clues. A phrase scores four times its rank, plus any bonuses: an even number. The
// others are odd, so that the order in which clues are found does not matter.
const (
	scoreCode   = 21
	scoreStatus = 19
	scoreName   = 13 // a name that is no code by its spelling, such as not_found
	scoreClear  = 12 // the minimum score of a clear clue
	scoreVague  = 9  // a vague code, or a status that services also send for other reasons
	scoreTried  = 1  // what was tried: it counts only if there is no other clue
)

const (
	// rankVague is the rank of invalid and its like, which blame nobody if nothing is named.
	rankVague = 2
	// rankEmpty is the rank of phrases for missing arguments alone, such as cannot be empty.
	rankEmpty = 6
	// maxDenial is the maximum number of words from a negation to what it negates: no pending and merged requests found.
	maxDenial = 5
	// maxState is the maximum number of words between a thing and its state: the offer has since timed out.
	maxState = 2
	// maxPause is the maximum delay of a rate limit, most of which are per minute; a longer one suggests a plan's limit.
	maxPause = 2 * time.Minute
)

func (r *reader) read(text string) {
	once.Do(load)
	r.scan.read(text)
	*r = reader{scan: r.scan, hits: r.hits[:0]}
	r.findPhrases()
	r.findCodes()
	r.weighPhrases()
}

// findPhrases finds the longest phrases, from left to right.
func (r *reader) findPhrases() {
	end := 0
	for i, t := range r.tokens {
		for at := t.start; at < t.end; at++ {
			if at < end || at > t.start && (!t.isRun || !utf8.RuneStart(r.norm[at])) {
				continue // inside a phrase, a word or a character
			}
			found, last := longest(r.norm[at:]), i
			if len(found) == 0 {
				continue
			}
			for end = at + len(found[0].text); last+1 < len(r.tokens) && r.tokens[last+1].start < end; {
				last++
			}
			for j := range found {
				r.hits = append(r.hits, hit{&found[j], i, last})
			}
		}
	}
}

// findNouns finds the nouns of each clause, and what was tried in it. It returns the number of words that name
// something.
func (r *reader) findNouns() (others int) {
	others, next := len(r.tokens), 0
	for _, h := range r.hits {
		c := &r.clauses[r.tokens[h.first].clause]
		if h.use == "noun" && !r.isInName(h) {
			c.nouns |= h.needs
		}
		c.tried = c.tried || c.labels && (h.use == "tried" || h.use == "negates")
		if (h.use == "" || h.use == "tried") && !r.tokens[h.first].isRun && h.first >= next {
			next = h.last + 1 // a phrase may have several meanings
			others -= next - h.first
		}
	}
	return others
}

// weighPhrases evaluates each phrase in its clause.
func (r *reader) weighPhrases() {
	others := r.findNouns()
	for _, h := range r.hits {
		c := &r.clauses[r.tokens[h.first].clause]
		isDenied := c.denied > 0 && h.first-c.denied < maxDenial // a negation shortly precedes it
		switch h.use {
		case "negates":
			c.denied = h.last + 1
		case "aside":
			c.aside, c.denied = true, 0
		case "forbids": // unless it was not done, or only a repeat before the delay is meant
			isCall := h.needs&^soon&c.nouns == 0 // and not the connection
			r.forbids = r.forbids || !isDenied && isCall && (h.needs&soon == 0 || r.delay() == 0)
		case "rate":
			r.isRate = true
		case "pause":
			r.mayPause = true
		case "noun":
			if h.needs == thing {
				c.thing = h.last + 1
			}
		case "", "not", "later":
			if h.class == class.Invalid && h.rank == rankVague && others <= 0 {
				r.found(class.Internal, h.rank*4)
			} else if h.needs&^c.nouns == 0 && (h.use != "not" || isDenied) {
				r.weigh(h, c, isDenied)
			}
		}
	}
}

// weigh adds the clue of a phrase in a clause.
func (r *reader) weigh(h hit, c *clause, isDenied bool) {
	said, score := h.class, h.rank*4
	if c.last {
		score += 2
	}
	isAnswer := c.nouns&answer != 0 || c.nouns&reply != 0 && !codes.List("duties").In(h.text) // of a service
	if (said == class.Invalid || said == class.Missing) &&
		(r.broken || isAnswer && r.lasting.class == class.Unknown) {
		said, r.broken = class.Internal, true
	}
	n := bits.TrailingZeros32(uint32(c.nouns))
	if said == class.Missing && h.rank < rankEmpty && n < len(absences) && absences[n] != said {
		r.found(absences[n], score+4) // a review is required
		return
	}
	switch {
	case c.nouns&soon != 0 && (said == class.Precondition || said == class.Denied || said == class.NotFound):
		r.forbids = true // disabled right now
		return
	case !said.Retryable() && c.tried && said != class.Declined:
		score = scoreTried
	case !said.Retryable():
	case isDenied, c.aside, c.member, r.isInName(h):
		return
	case c.thing > 0 && h.first-c.thing <= maxState:
		r.forbids = true // the offer timed out
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

// isPart reports whether a text counts what was done, of more: created 3 of 5 rows, or a clause begins with that: 3 of
// 5 rows were created. Why the others failed says nothing of the whole.
func (r *reader) isPart() bool {
	for i, t := range r.tokens {
		c := &r.clauses[t.clause]
		if string(r.norm[t.start:t.end]) != "of" || c.nouns&done == 0 || c.denied > 0 {
			continue
		}
		before := i - 1
		if r.text(before) == "out" {
			before--
		}
		n, _ := strconv.Atoi(r.text(before))
		of, _ := strconv.Atoi(r.text(i + 1))
		isDone := func(h hit) bool { return h.needs == done && h.last == before-1 }
		if 0 < n && n < of && (before == 0 || r.tokens[before-1].clause != t.clause || slices.ContainsFunc(r.hits, isDone)) {
			return true
		}
	}
	return false
}

// reading combines the clues into a Reading.
func (r *reader) reading() Reading {
	if r.lasting.class != class.Internal && r.isPart() {
		return Reading{Forbids: true}
	}
	lasting, passing := r.lasting, r.passing
	after := r.delay()
	isShort := after > 0 && after <= maxPause
	if (r.isRate || r.mayPause && isShort) && lasting.class == class.Limit {
		lasting, passing = clue{}, clue{class.Throttled, lasting.score}
	}
	if passing.class != class.Unknown && lasting.score == scoreTried {
		lasting = clue{}
	}
	out := Reading{Forbids: lasting.class != class.Unknown || r.forbids}
	isPause := passing.class == class.Throttled && lasting.class == class.Limit && isShort
	// a state beside a lost reply does not say that nothing was done
	isOpen := (passing.class == class.TimedOut || passing.class == class.ReplyLost && passing.score < scoreStatus) &&
		passing.score+2 >= lasting.score && lasting.class == class.Precondition
	if passing.score < min(4*rankVague, lasting.score) || lasting.score >= scoreClear && !isPause && !isOpen {
		passing = lasting
	}
	out.Classification = passing.class.Classification()
	if out.Retryable = out.Retryable && !out.Forbids; out.Retryable {
		out.Effect, out.After = class.EffectUnknown, after
	}
	if out.Effect == class.EffectNone {
		out.Effect = ""
	}
	return out
}
