package foreign

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// word classifies a code.
func word(code string) classify.Classification { return informative(classify.Word(code)) }

// status classifies an HTTP status.
func status(n int) classify.Classification {
	return informative(classify.HTTPStatus(n, nil, "", time.Time{}))
}

// informative returns c, or the zero value if c only indicates that something failed. It
// never proves the effect: words may be about something other than this call, and a proxy
// may have made up the status.
func informative(c classify.Classification) classify.Classification {
	if c.Code == string(toolerr.CodeInternal) {
		return classify.Classification{}
	}
	if c.Effect == string(toolerr.EffectNone) {
		c.Effect = ""
	}
	if c.Retryable {
		c.Effect = string(toolerr.EffectUnknown)
	}
	return c
}

// codeOrStatus classifies a code and the HTTP status next to it; either may be missing. The
// code takes precedence unless it is vague.
func codeOrStatus(code string, n int) classify.Classification {
	return informative(classify.Code(code, n))
}

// forbids reports whether a classification means that no retry helps.
func forbids(c classify.Classification) bool {
	return c.Category != "" && c.Category != string(toolerr.CategoryTransient)
}

// isSpecific reports whether a classification is more specific than a status can be.
func isSpecific(c classify.Classification) bool {
	return c.Category == string(toolerr.CategoryBusiness) || c.Code == string(toolerr.CodeRateLimited)
}

// newError returns the envelope of a classification.
func newError(c classify.Classification, message string) *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.Category(c.Category), Code: toolerr.Code(c.Code), Message: message,
		Retryable: c.Retryable, RetryAfter: c.After, Effect: toolerr.Effect(c.Effect),
	}
}
