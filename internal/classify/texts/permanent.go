package texts

import "github.com/mcp-toolerr/toolerr-go/internal/classify/class"

const (
	HeadBytes = 256
	TailBytes = 256
)

func ReadPermanent(text string) class.Class {
	r, _ := readers.Get().(*reader)
	defer readers.Put(r)
	r.read(text)
	if c := r.lasting; c.score >= scoreClear && c.class.Classification().Category != class.Transient {
		return c.class
	}
	return class.Unknown
}
