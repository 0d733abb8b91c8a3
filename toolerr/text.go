package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/classify"

// FromText reads the prose of a failure, in English and ten other languages, for callers that have
// nothing else. It sets Category, Code and RetryAfter, if the words are clear; the text is the
// message. For text that is not understood, the Error has no category.
//
// Retryable is true only for a cause that is clearly temporary. Words prove no effect, so Effect is
// empty: retry only if a repeat is safe. The middleware, which knows the tool, sends false unless
// the tool is known to be safe to repeat. There is no hint, not even a default one, and no field. A
// refusal that may have several reasons ("exceeds the limit", "cannot be canceled") is a business
// failure or has no category; a report that a response cannot be parsed is internal.
//
// [From] reads no prose. To read your own program's texts, which the agent then sees, call FromText
// in a [Rule]. Of a long text, only both ends are read. FromText is safe for concurrent use.
func FromText(text string) *Error {
	c := classify.Text(text).Classification
	c.Effect = ""
	e := newError(c, nil)
	e.Message, e.origin.text = text, true
	return e
}
