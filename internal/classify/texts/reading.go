// Package texts takes the words of a failure, in the languages that phrases are known in, and
// returns what they say: a [Reading]. It looks at a fixed length of a text, once.
package texts

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Reading is what the words of a text say of the failure that they report.
type Reading struct {
	class.Classification

	// Forbids says that something in the text speaks against a repeat, whether or not
	// it says what kind of failure it is.
	Forbids bool
}

// Read reads the text of a failure, in the languages that phrases are known in. What
// the text shows as a code or a status counts beside its words. A repeat is allowed only
// if the main clause says that the failure may pass, and nothing in the text speaks
// against it. The effect is never none: words prove nothing.
//
// It looks at a fixed length of the text, its beginning and its end, once.
func Read(text string) Reading {
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	r.read(text)
	return r.reading()
}

// readers keeps what readers have allocated.
var readers = sync.Pool{New: func() any { return new(reader) }}

// A reader reads one text.
type reader struct {
	scan

	hits      []hit
	clues     []clue
	around    []neighbourhood // by clause
	sentences []sentence
	taken     class.Class // what a word says that takes a repeat back
	isTaken   bool
	asks      bool // for a repeat
	denies    bool // something
	failure   int  // where one is spoken of first, in norm
	work      int  // the token that ends what speaks of work done
	plans     int  // words of plans and quotas
	isRate    bool // a limit in the text is one that passes: per minute
}

// A hit is a phrase in the text.
type hit struct {
	row         *phrases
	first, last int // tokens
	at          int // in norm: a run has several
}

// A clue is a class that something in the text says, and how clearly.
type clue struct {
	class class.Class
	score int
	shown bool // as a code or a status
}

func (r *reader) read(text string) {
	r.scan.read(text)
	r.hits, r.clues, r.taken, r.isTaken = r.hits[:0], r.clues[:0], class.Unknown, false
	r.isRate, r.asks, r.denies, r.plans = false, false, false, 0
	r.findPhrases()
	r.weighPhrases()
	r.findStatuses()
	r.findCodes()
}

// findPhrases finds the longest phrases from the left.
func (r *reader) findPhrases() {
	b, end := book(), 0
	for i, t := range r.tokens {
		for at := t.start; at < t.end; at++ {
			if at < end || at > t.start && (t.kind != runToken || r.norm[at]&0xc0 == 0x80) { // in a phrase, a word or a character
				continue
			}
			found, shorter, n, steps := b.longest(r.norm[at:])
			r.steps += steps
			if found == 0 {
				continue
			}
			end = at + n
			last := i
			for last+1 < len(r.tokens) && r.tokens[last+1].start < end {
				last++
			}
			for ; found != 0; found = b.meanings[found].next {
				r.hits = append(r.hits, hit{row: b.meanings[found].row, first: i, last: last, at: at})
			}
			if row := b.meanings[shorter].row; shorter != 0 && r.hits[len(r.hits)-1].row.use != nothing {
				r.hits = append(r.hits, hit{row: row, first: i, last: last, at: at})
			}
		}
	}
	r.dropStrangers()
}

// dropStrangers drops a short word of a language that the text has nothing else of: once
// is before in Turkish.
func (r *reader) dropStrangers() {
	// The bytes of a word that is of one language, of one that is if nothing in the text is
	// English, and how many words are not by chance.
	const long, longAlone, enough = 10, 7, 2
	r.dropNeighbours()
	evidence, isEnglish, isAlone := 0, false, false
	for _, h := range r.hits {
		t := r.tokens[h.first]
		switch {
		case h.row.language == english[0].language:
			isEnglish = true
		case h.first < h.last, t.end-t.start >= long, t.kind == runToken, hasAccent(r.src[t.from:t.to]):
			return
		default:
			evidence++
			isAlone = isAlone || t.end-t.start >= longAlone
		}
	}
	if evidence < enough && (isEnglish || !isAlone) {
		r.hits = slices.DeleteFunc(r.hits, func(h hit) bool { return h.row.language != english[0].language })
	}
}

// hasAccent reports whether a word has a letter that English has not.
func hasAccent(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && r != '’' })
}

// dropNeighbours drops the words for if and the like of a language that the text has less
// of than of another one: se is if in Portuguese, and itself in Spanish.
func (r *reader) dropNeighbours() {
	var count [len("de fr es pt it ru tr zh ja ko")]struct {
		language string
		hits     int
	}
	most := 0
	of := func(language string) int {
		for i := range count {
			if count[i].language == language || count[i].language == "" {
				count[i].language = language
				return i
			}
		}
		return 0
	}
	for _, h := range r.hits {
		if h.row.language != english[0].language {
			i := of(h.row.language)
			count[i].hits++
			most = max(most, count[i].hits)
		}
	}
	const short = 3 // bytes
	r.hits = slices.DeleteFunc(r.hits, func(h hit) bool {
		return h.row.use == subordinates && h.row.language != english[0].language && count[of(h.row.language)].hits < most &&
			r.tokens[h.last].end-r.tokens[h.first].start <= short
	})
}

// The scores of what a text shows, beside those of phrases, which are four times their
// rank and a little.
const (
	scoreCode   = 22
	scoreStatus = 20
	scoreVague  = 9 // of a code or a status that says no more than that something is wrong
	// scoreClear is from where on a clue is more than a word that may be about
	// anything.
	scoreClear = 12
	// maxPause is how long a limit of a rate may last that is not one of a plan. Chosen: most
	// are per minute.
	maxPause = 2 * time.Minute
	// scoreTried is that of what was tried, before the colon behind which the failure is
	// named: it counts if nothing else does.
	scoreTried = 1
)

func (r *reader) found(c class.Class, score int, shown bool) {
	if c != class.Unknown {
		r.clues = append(r.clues, clue{c, score, shown})
	}
}

// clearest returns the clearest of the clues that forbid a repeat, and of those that do not.
func (r *reader) clearest() (forbidden, passing clue) {
	for _, f := range r.clues {
		to := &forbidden
		if f.class.Retryable() {
			to = &passing
		}
		if f.score > to.score {
			*to = f
		}
	}
	forbidden = r.confirmed(forbidden)
	if r.isRate && forbidden.class == class.Limit && !forbidden.shown {
		forbidden, passing = clue{}, clue{class: class.Throttled, score: forbidden.score}
	}
	return forbidden, passing
}

// reading puts together what was found.
func (r *reader) reading() Reading {
	forbidden, passing := r.clearest()
	after := r.delay()
	if passing.class == class.Unknown && after > 0 {
		passing = clue{class: class.ReplyLost, score: scoreVague}
	}
	if passing.class != class.Unknown && forbidden.score == scoreTried {
		forbidden = clue{}
	}
	out := Reading{Forbids: forbidden.class != class.Unknown || r.isTaken}
	if passing.class != class.Unknown && !out.Forbids {
		out.Classification = passing.class.Classification()
		out.Effect, out.After = class.EffectUnknown, after
		return out
	}
	out.Classification = r.refusal(forbidden, passing, after).Classification()
	if out.Retryable = false; out.Effect == class.EffectNone {
		out.Effect = ""
	}
	return out
}

// confirmed returns c, or what the text shows as a code or a status, if the words are vague or
// divided: 409, a conflict or something that exists already. It is of the same category, unless
// they say no more than that something failed.
func (r *reader) confirmed(c clue) clue {
	if c.shown || c.class == class.Unknown {
		return c
	}
	category := c.class.Classification().Category
	isDivided := c.class == class.Internal || c.class == class.Precondition || slices.ContainsFunc(r.clues, func(other clue) bool {
		return !other.shown && other.class != c.class && other.class.Classification().Category == category && other.score > scoreTried
	})
	for _, shown := range r.clues {
		if isDivided && shown.shown && (c.class == class.Internal || shown.class.Classification().Category == category) &&
			!shown.class.IsVague() && !shown.class.Retryable() {
			return clue{class: shown.class, score: c.score, shown: true}
		}
	}
	return c
}

// refusal returns the class of a failure that must not be repeated, or unknown.
func (r *reader) refusal(forbidden, passing clue, after time.Duration) class.Class {
	isPlan := r.taken == class.Limit || forbidden.class == class.Limit && !forbidden.shown
	switch {
	case passing.class == class.Unknown && forbidden.class == class.Unknown && r.asks:
		return class.Exhausted // it asks for a repeat, and gives no reason
	case passing.class == class.Unknown && forbidden.class == class.Unknown && (r.plans > 1 || r.plans > 0 && r.denies):
		return class.Limit
	case passing.class == class.Unknown:
		return forbidden.class
	case passing.class == class.Throttled && forbidden.class == class.Limit && !forbidden.shown && after > 0 && after <= maxPause:
		return class.Throttled // it says itself when it ends, and what would raise it
	case forbidden.score >= scoreClear && (!forbidden.shown || passing.shown || passing.class != class.Throttled):
		return forbidden.class
	case isPlan && passing.class == class.Throttled && after == 0:
		return class.Limit // what is exhausted is a plan
	case r.taken == class.Unauthenticated && passing.class == class.TimedOut:
		return class.Unauthenticated // what has timed out is a session
	}
	return passing.class
}
