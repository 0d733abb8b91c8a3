package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/classify"

// FromText reads the prose of a failure, in English and ten other languages, for callers that have
// nothing else, and for a [Rule] about your own program's texts. It sets Category, Code and RetryAfter if
// the words are clear. The text, of which only both ends are read, is the message; there is no hint.
//
// Retryable is true only for a cause that is clearly temporary. Words prove no effect: retry only if a
// repeat is safe. FromText is safe for concurrent use.
func FromText(text string) *Error {
	c := classify.Text(text).Classification
	c.Effect = ""
	e := newError(c, nil)
	e.Message, e.origin.text, e.origin.words = text, true, true
	return e
}
