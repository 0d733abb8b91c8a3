// Package texts takes the text of a failure, in the languages of the phrase tables, and
// returns its classification: a [Reading]. It reads a bounded part of a text once.
package texts

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Reading is the classification of the failure that a text reports.
type Reading struct {
	class.Classification

	// Forbids reports that something in the text forbids a repeat, even if the failure is
	// not classified.
	Forbids bool
}

// Read classifies the text of a failure, in the languages of the phrase tables, by its
// words and by the codes and statuses that it contains. The result is retryable only if the
// main clause names a transient failure and nothing in the text forbids a repeat. The
// effect is never none, because words prove nothing.
//
// Read reads a bounded part of a text, its beginning and its end, once. It is safe for
// concurrent use.
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

	hits      []hit
	clues     []clue
	around    []neighbourhood // one for each clause
	sentences []sentence
	reason    class.Class // the class of the first phrase that forbids a repeat and has a reason
	forbids   bool
	asks      bool // the text asks for a repeat
	denies    bool // the text negates something
	failure   int  // the offset of the first failure in norm
	work      int  // the last token of the clause that reports work done
	plans     int  // the number of words for plans and quotas
	isRate    bool // a limit in the text is one that passes: per minute
}

// A hit is a phrase in the text.
type hit struct {
	row         *phrases
	first, last int // tokens
	at          int // the offset in norm: a run may have several hits
}

// A clue is a class that a part of the text indicates, and how clearly.
type clue struct {
	class class.Class
	score int
	shown bool // indicated by a code or a status
}

func (r *reader) read(text string) {
	r.scan.read(text)
	r.hits, r.clues, r.reason, r.forbids = r.hits[:0], r.clues[:0], class.Unknown, false
	r.isRate, r.asks, r.denies, r.plans = false, false, false, 0
	r.findPhrases()
	r.weighPhrases()
	r.findStatuses()
	r.findCodes()
}

// findPhrases finds the longest phrases, from left to right.
func (r *reader) findPhrases() {
	b, end := book(), 0
	for i, t := range r.tokens {
		for at := t.start; at < t.end; at++ {
			if at < end || at > t.start && (t.kind != runToken || r.norm[at]&0xc0 == 0x80) { // inside a phrase, a word or a character
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

// dropStrangers drops short words of a language without further evidence: once means before
// in Turkish.
func (r *reader) dropStrangers() {
	// The lengths in bytes of words that are evidence, with and without English in the
	// text, and the number of words that are.
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

// hasAccent reports whether a word has a letter that English does not have.
func hasAccent(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && r != '’' })
}

// dropNeighbours drops subordinating words of languages with less evidence than another
// one: se means if in Portuguese and itself in Spanish.
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

// The scores of codes and statuses. Those of phrases are four times their rank, plus a
// small bonus.
const (
	scoreCode   = 22
	scoreStatus = 20
	scoreVague  = 9 // a code or a status that states only that something failed
	// scoreClear is the minimum score of a clue that is more specific than a word that may
	// be about anything.
	scoreClear = 12
	// maxPause is the maximum delay of a rate limit; a longer one is a plan's. Chosen: most
	// rate limits are per minute.
	maxPause = 2 * time.Minute
	// scoreTried is the score of what was attempted, before the colon after which the
	// failure is named. It counts only if there is no other clue.
	scoreTried = 1
)

func (r *reader) found(c class.Class, score int, shown bool) {
	if c != class.Unknown {
		r.clues = append(r.clues, clue{c, score, shown})
	}
}

// clearest returns the clearest clues that forbid a repeat and that do not.
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

// reading combines the clues into a Reading.
func (r *reader) reading() Reading {
	forbidden, passing := r.clearest()
	after := r.delay()
	if passing.class == class.Unknown && after > 0 {
		passing = clue{class: class.ReplyLost, score: scoreVague}
	}
	if passing.class != class.Unknown && forbidden.score == scoreTried {
		forbidden = clue{}
	}
	out := Reading{Forbids: forbidden.class != class.Unknown || r.forbids}
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

// confirmed returns c, or the clue of a code or a status if the words are vague or
// contradictory: 409 may be a conflict or an existing object. That clue must have the same
// category unless c is internal.
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

// refusal returns the class of a failure that must not be repeated, or Unknown.
func (r *reader) refusal(forbidden, passing clue, after time.Duration) class.Class {
	isPlan := r.reason == class.Limit || forbidden.class == class.Limit && !forbidden.shown
	switch {
	case passing.class == class.Unknown && forbidden.class == class.Unknown && r.asks:
		return class.Exhausted // the text asks for a repeat without a reason
	case passing.class == class.Unknown && forbidden.class == class.Unknown && (r.plans > 1 || r.plans > 0 && r.denies):
		return class.Limit
	case passing.class == class.Unknown:
		return forbidden.class
	case passing.class == class.Throttled && forbidden.class == class.Limit && !forbidden.shown && after > 0 && after <= maxPause:
		return class.Throttled // the text states when the limit ends
	case forbidden.score >= scoreClear && (!forbidden.shown || passing.shown || passing.class != class.Throttled):
		return forbidden.class
	case isPlan && passing.class == class.Throttled && after == 0:
		return class.Limit // the plan is exhausted
	case r.reason == class.Unauthenticated && passing.class == class.TimedOut:
		return class.Unauthenticated // the session timed out
	}
	return passing.class
}
