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

// informative returns c, or nothing if c says only that something failed. It proves
// nothing of the effect: words may be about something else than this call, and a
// status may be made up on the way.
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

// codeOrStatus classifies a code and the HTTP status that came with it; either may
// be missing. A code says more, except that a vague one leaves it to the status.
func codeOrStatus(code string, n int) classify.Classification {
	return informative(classify.Code(code, n))
}

// forbids reports whether a classification means that no repeat helps.
func forbids(c classify.Classification) bool {
	return c.Category != "" && c.Category != string(toolerr.CategoryTransient)
}

// isSpecific reports whether words say more than a status can.
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
