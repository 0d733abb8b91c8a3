package texts

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Of a long text this many bytes are looked at on each side: errors name themselves
// at the end of their text, behind what those around them have added, or at its
// beginning, before what they quote. Chosen.
const HeadBytes, TailBytes = 256, 256

// ReadPermanent classifies a text by the words that forbid a retry, as [Text] reads
// them. None allows one: a text says nothing of what was done.
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

// forbidding returns the class of the clearest words of a text that forbid a retry. Words
// about what is the tool's own trouble, as long as nothing shows that the caller sent it,
// say nothing.
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

// notOurs are words of what is the tool's own trouble, as long as nothing shows that
// the caller sent it.
var notOurs = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq("program interpreter module library config configuration env environment certificate x509 host dns executable binary " +
		"parse parsing unmarshal decode syntax yaml json toml xml") {
		words[word] = true
	}
	return words
})
