// Package classify classifies Go errors, HTTP responses, statuses, code words and texts. It
// recognizes errors of the standard library by value and type, and others by fields, methods, names
// and fixed texts. It imports only the standard library, its own subpackages, and packages effect and spelling.
package classify

import (
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// A Classification describes the kind of a failure. See [class.Classification].
type Classification = class.Classification

// A Reading is the classification of a text. See [texts.Reading].
type Reading = texts.Reading

// MaxDelay is [class.MaxDelay].
const MaxDelay = class.MaxDelay

// Internal returns the classification of an unexpected error.
func Internal() class.Classification { return class.Internal.Classification() }

// Code classifies a code word that came with an HTTP status. Either may be absent: "" or 0.
func Code(code string, status int) class.Classification {
	c, _, _ := answers.Weigh(codes.FromWord(code), false, status, nil, "") // no headers need to be explained
	return c.Classification()
}

// Text reads the text of a failure, in the languages of the phrase tables. See [texts.Read].
func Text(text string) texts.Reading { return texts.Read(text) }

// Response classifies an HTTP response that is not a success, and closes its body. See
// [answers.FromResponse].
func Response(resp *http.Response) (c Classification, scopes, said string) {
	return answers.FromResponse(resp)
}
