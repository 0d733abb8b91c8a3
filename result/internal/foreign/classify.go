package foreign

import (
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A classification says what kind of failure something stands for. The zero value
// says that nothing is known.
type classification struct {
	Category, Code string
	Retryable      bool
	Effect         string
	After          time.Duration
}

// Known reports whether anything is known.
func (c classification) Known() bool { return c.Code != "" }

// word classifies a code.
func word(code string) classification {
	return informative(disguised(&reportError{Code: code}))
}

// status classifies an HTTP status.
func status(n int) classification {
	return informative(disguised(&reportError{StatusCode: n}))
}

// sqlState classifies a SQLSTATE with the text that it came in.
func sqlState(state, text string) classification {
	return informative(disguised(&reportError{state: state, text: text}))
}

// seconds returns n seconds as a delay within the limits of an envelope.
func seconds(n float64) time.Duration {
	const year = 365 * 24 * time.Hour
	switch {
	case math.IsNaN(n) || n <= 0:
		return 0
	case n >= year.Seconds():
		return year
	}
	return time.Duration(n * float64(time.Second))
}

// A reportError has the shape that toolerr.From understands.
type reportError struct {
	Code        string
	StatusCode  int
	state, text string
}

func (r *reportError) Error() string    { return r.text }
func (r *reportError) SQLState() string { return r.state }

func disguised(r *reportError) classification {
	e := toolerr.From(r)
	return classification{Category: string(e.Category), Code: string(e.Code), Retryable: e.Retryable, Effect: string(e.Effect), After: e.RetryAfter}
}

// informative returns c, or nothing if c says only that something failed.
func informative(c classification) classification {
	if c.Code == string(toolerr.CodeInternal) {
		return classification{}
	}
	return c
}

// codeOrStatus classifies a code and the HTTP status that came with it; either may
// be missing. A code says more, except that a vague one leaves it to the status.
func codeOrStatus(code string, n int) classification {
	byCode, byStatus := word(code), status(n)
	vague := toolerr.Code(byCode.Code) == toolerr.CodeInvalidArgument ||
		toolerr.Code(byCode.Code) == toolerr.CodeConflict && toolerr.Code(byStatus.Code) == toolerr.CodeFailedPrecondition
	if !byCode.Known() || byStatus.Known() && vague {
		return byStatus
	}
	return byCode
}

// forbids reports whether a classification means that no repeat helps.
func forbids(c classification) bool {
	return c.Category != "" && c.Category != string(toolerr.CategoryTransient)
}

// isSpecific reports whether words say more than a status can.
func isSpecific(c classification) bool {
	return c.Category == string(toolerr.CategoryBusiness) || c.Code == string(toolerr.CodeRateLimited)
}

// newError returns the envelope of a classification.
func newError(c classification, message string) *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.Category(c.Category), Code: toolerr.Code(c.Code), Message: message,
		Retryable: c.Retryable, RetryAfter: c.After, Effect: toolerr.Effect(c.Effect),
	}
}
