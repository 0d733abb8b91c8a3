package classify

import (
	"strings"
	"sync"
)

// Of a long text this many bytes are looked at on each side: errors name themselves
// at the end of their text, behind what those around them have added, or at its
// beginning, before what they quote. Chosen.
const textHead, textTail = 256, 256

// byText classifies a chain of which its types say nothing by the text of its
// innermost error, then by that of the outermost, which holds all.
func byText(top, leaf error) (c class) {
	defer func() {
		if recover() != nil {
			c = unknown
		}
	}()
	for _, err := range []error{leaf, top} {
		text := err.Error()
		if c = sqlStateIn(text); c == unknown {
			c = pathOfCodes(text)
		}
		if c == unknown {
			c = forbiddingText(text)
		}
		if c != unknown || top == leaf { //nolint:errorlint // the same link
			return c
		}
	}
	return unknown
}

// pathOfCodes classifies a text that is nothing but codes, from the general to the
// particular: path/not_found/... None allows a retry.
func pathOfCodes(text string) class {
	if len(text) > maxCode || strings.ContainsAny(text, " \t\n") {
		return unknown
	}
	var r codeReader
	for word := range strings.SplitSeq(text, "/") {
		if r.read(word) && classes[r.class].Category != transient {
			return r.class
		}
	}
	return unknown
}

// forbiddingText classifies a text by the words that forbid a retry, as [Text] reads
// them. None allows one: a text says nothing of what was done.
func forbiddingText(text string) class {
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	if len(text) <= textHead+textTail {
		return r.forbidding(text)
	}
	if c := r.forbidding(text[len(text)-textTail:]); c != unknown {
		return c
	}
	return r.forbidding(text[:textHead])
}

// forbidding returns the class of the clearest words of a text that forbid a retry. Words
// about what is the tool's own trouble, as long as nothing shows that the caller sent it,
// say nothing.
func (r *reader) forbidding(text string) class {
	r.read(text)
	notOurs := notOurs()
	for _, t := range r.tokens {
		if notOurs[string(r.norm[t.start:t.end])] && !r.clauses[t.clause].quoted {
			return unknown
		}
	}
	var best clue
	for _, c := range r.clues {
		if classes[c.class].Category != transient && c.score > best.score {
			best = c
		}
	}
	if best.score >= scoreClear || best.class == invalid && r.is(0, "invalid") {
		return best.class
	}
	return unknown
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
