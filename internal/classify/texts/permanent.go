package texts

import "github.com/mcp-toolerr/toolerr-go/internal/classify/class"

// HeadBytes and TailBytes are the numbers of bytes of a long text that [ReadPermanent] reads.
// Errors name themselves at the end of their text, or at the beginning. Chosen.
const (
	HeadBytes = 256 // HeadBytes is the number of bytes at the beginning.
	TailBytes = 256 // TailBytes is the number of bytes at the end.
)

// ReadPermanent returns the clearest class of a text that rules out a retry.
func ReadPermanent(text string) class.Class {
	if len(text) > HeadBytes+TailBytes {
		if c := ReadPermanent(text[len(text)-TailBytes:]); c != class.Unknown {
			return c
		}
		text = text[:HeadBytes]
	}
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	r.read(text)
	if c := r.lasting; c.score >= scoreClear && c.class.Classification().Category != class.Transient {
		return c.class
	}
	return class.Unknown
}
