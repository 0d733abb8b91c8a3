package retry

import (
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// scratches are reused, because most failures are only decided about and then forgotten.
var scratches = sync.Pool{New: func() any { return new(toolerr.Error) }}

// classify returns the failure of an attempt of [Do], or nil if err is a nil
// *[toolerr.Error]. If no tool error is in err's tree, the result is only what a decision
// depends on, valid until the next call of classify or release: see complete.
func (l *loop) classify(err error) *toolerr.Error {
	l.err = nil
	if e, ok := err.(*toolerr.Error); ok && e.Unwrap() == nil { //nolint:errorlint // not wrapped; the walk finds wrapped ones
		return e
	}
	c, tool := classify.Error(err, toolErrorAt, nil)
	if tool != nil {
		return withAttemptsInside(err)
	}
	if l.scratch == nil {
		l.scratch, _ = scratches.Get().(*toolerr.Error)
	}
	l.err = err
	s := l.scratch // its other fields are never set
	s.Category, s.Code, s.Retryable, s.Effect, s.RetryAfter = toolerr.Category(c.Category), toolerr.Code(c.Code), c.Retryable, toolerr.Effect(c.Effect), c.After
	return s
}

// toolErrorAt recognizes a tool error, and any error that may contain one. Its
// classification takes precedence over all others, so that none is missed.
func toolErrorAt(err error) (classify.Classification, error) {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case *toolerr.Error, interface{ As(target any) bool }:
		return classify.Classification{Category: string(toolerr.CategoryPermission)}, err
	}
	return classify.Classification{}, nil
}

// complete returns the failure that e stands for.
func (l *loop) complete(e *toolerr.Error) *toolerr.Error {
	if l.err == nil || e != l.scratch {
		return e
	}
	return toolerr.From(l.err)
}

// gaveUp returns the error of a run whose last attempt failed with err, classified as e.
func (l *loop) gaveUp(err error, e *toolerr.Error, d Decision) *Error {
	if l.err != nil {
		e = nil // it is classified when it is asked for
	}
	l.release()
	return &Error{Err: err, Decision: d, last: e, isRun: true, run: l.run(), ctx: contextErrors(l.ctx)}
}

// release ends the use of a failure that classify returned.
func (l *loop) release() {
	if l.scratch != nil {
		scratches.Put(l.scratch)
		l.scratch, l.err = nil, nil
	}
}

// withAttemptsInside returns [toolerr.From] of err with the attempts of a layer below.
func withAttemptsInside(err error) *toolerr.Error {
	e := toolerr.From(err)
	if e == nil || len(e.Attempted) > 0 {
		return e
	}
	if inner := attemptedInside(err); inner != nil {
		return e.WithAttempted(inner...)
	}
	return e
}
