package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/classify"

// FromText reads the prose of a failure, in English and ten other languages, for callers with
// nothing else. It sets Category, Code and RetryAfter, if the words are clear; the text is the
// message. Text that is not understood gives an Error without a category.
//
// Retryable is true only for a cause that is clearly temporary. Words prove no effect, so Effect is
// not stated: the caller must know that a repeat is safe, and the middleware, which knows the tool,
// sends false for a tool that is not known to be. There is no hint, not even the default one, and
// no field. A refusal that may have several reasons ("exceeds the limit", "cannot be cancelled") is
// a business failure or has no category; text that cannot be parsed is internal.
//
// [From] reads no prose. A [Rule] around FromText makes that choice for the texts of your own
// program, which the agent then sees. Only the beginning and the end of a long text are read.
// FromText is safe for concurrent use.
func FromText(text string) *Error {
	c := classify.Text(text).Classification
	c.Effect = ""
	e := newError(c, nil)
	e.Message, e.origin.text = text, true
	return e
}
