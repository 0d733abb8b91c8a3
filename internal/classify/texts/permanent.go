package texts

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// HeadBytes and TailBytes are the numbers of bytes at the beginning and at the end of a
// long text that are read. Errors name themselves at the end of their text, after the
// context that wrappers add, or at the beginning, before quoted text. Chosen.
const (
	HeadBytes = 256 // HeadBytes is the number of bytes at the beginning.
	TailBytes = 256 // TailBytes is the number of bytes at the end.
)

// ReadPermanent classifies a text by the words that rule out a retry. It reads words as
// [Read] does, and never returns a retryable class, because text does not prove what was
// done.
func ReadPermanent(text string) class.Class {
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	if len(text) <= HeadBytes+TailBytes {
		return r.forbidding(text)
	}
	if c := r.forbidding(text[len(text)-TailBytes:]); c != class.Unknown {
		return c
	}
	return r.forbidding(text[:HeadBytes])
}

// forbidding returns the class of the clearest words of a text that rule out a retry. Text
// about the tool's own failures is not classified unless it is quoted from the caller.
func (r *reader) forbidding(text string) class.Class {
	r.read(text)
	notOurs := notOurs()
	for _, t := range r.tokens {
		if notOurs[string(r.norm[t.start:t.end])] && !r.clauses[t.clause].quoted {
			return class.Unknown
		}
	}
	var best clue
	for _, c := range r.clues {
		if c.class.Classification().Category != class.Transient && c.score > best.score {
			best = c
		}
	}
	if best.score >= scoreClear || best.class == class.Invalid && r.is(0, "invalid") {
		return best.class
	}
	return class.Unknown
}

// notOurs are words for the tool's own failures, unless the caller sent what they name.
var notOurs = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq("program interpreter module library config configuration env environment certificate x509 host dns executable binary " +
		"parse parsing unmarshal decode syntax yaml json toml xml") {
		words[word] = true
	}
	return words
})
