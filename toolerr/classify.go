package toolerr

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
)

// A Rule recognises an error of the caller's own: it returns the envelope for
// err and true, or false to leave it to the next rule.
type Rule func(error) (*Error, bool)

// From turns any Go error into an envelope: by the caller's rules first, then an
// *Error in its chain as it is, then by what the standard library knows about
// it. From(nil) is nil, and so is From of a nil *Error.
//
// The sentences are fixed for each code, and nothing of err reaches them; err is
// the cause, for the log. What is not known is an internal failure: transient,
// not retryable.
func From(err error, rules ...Rule) *Error {
	if err == nil {
		return nil
	}
	for _, rule := range rules {
		if e, ok := rule(err); ok {
			return e
		}
	}
	if e, ok := find(err); ok {
		return e
	}
	return classify(err).WithCause(err)
}

// Wrap is [From] with the author's own message, which goes on the wire. The
// cause stays reachable. Wrap of nil is nil.
func Wrap(err error, message string) *Error {
	e := From(err)
	if e == nil {
		return nil
	}
	return e.WithMessage(message).WithCause(err)
}

// CategoryOf returns the category of the first *Error in err's chain, or "". It
// does not classify. Wrapped, joined and nil errors are fine.
func CategoryOf(err error) Category {
	if e, _ := find(err); e != nil {
		return e.Category
	}
	return ""
}

// CodeOf returns the code of the first *Error in err's chain, or "". It does not
// classify. Wrapped, joined and nil errors are fine.
func CodeOf(err error) Code {
	if e, _ := find(err); e != nil {
		return e.Code
	}
	return ""
}

// find returns the first *Error in err's chain, as [errors.As] does.
func find(err error) (*Error, bool) {
	if e, ok := err.(*Error); ok { //nolint:errorlint // a bare nil pointer is no failure; a wrapped one is
		return e, true
	}
	var e *Error
	if errors.As(err, &e) && e != nil {
		return e, true
	}
	return nil, false
}

func classify(err error) *Error {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return Transient("The call was cancelled.").WithCode(CodeCanceled).WithRetryable(false)
	case errors.Is(err, syscall.ECONNREFUSED):
		return Transient("The service cannot be reached.").WithCode(CodeUnavailable).WithEffect(EffectNone)
	case errors.As(err, &timeout) && timeout.Timeout():
		return Transient("No answer came in time.").WithCode(CodeTimeout).WithEffect(EffectUnknown)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return Transient("The connection broke before an answer came.").WithCode(CodeUnavailable).WithEffect(EffectUnknown)
	default:
		return Transient("The tool failed unexpectedly.").WithCode(CodeInternal).WithRetryable(false)
	}
}
