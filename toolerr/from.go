package toolerr

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
)

// A Rule classifies a program's own errors. It returns the envelope for err and true, or false to
// leave err to the next rule. It must be as safe for concurrent use as the calls of From. From does
// not recover its panics; result.Middleware does.
type Rule func(error) (*Error, bool)

// From turns any Go error into an envelope, by the first of these that knows it:
//
//  1. the caller's rules,
//  2. an *[Error] in the chain, which is returned,
//  3. the values and types of the standard library,
//  4. the structure of other libraries' errors: codes, statuses, methods, a field RetryAfter,
//  5. the fixed texts of well-known libraries, such as "redis: nil"; the type's name; a method such as
//     Temporary. Other text is not read.
//
// Any other failure is [Internal]; so is a tree of more than 10,000 errors (chosen as a limit on
// infinite trees) and an err whose methods panic. From returns nil if err is nil or a nil *Error, or if
// a rule returns nil, true. Each code has a fixed message; err is the cause, for the log.
//
// The outermost error whose kind is known decides, but a specific code inside takes precedence over the
// HTTP status around it, and a wrapper that declares an error permanent forbids a retry, unless it wraps
// an *Error. Of the branches of [errors.Join], one that forbids a retry decides, above all a missing
// permission; the effect is the worst: applied, then unknown, which an unclassified branch has.
//
// From does not blame the caller without evidence. Text that cannot be parsed, a missing file or
// program, an unknown host, an untrusted certificate, and what a database reports about the server's own
// statement, schema or login (SQLSTATE class 42, 3D, 3F or 28) are internal: result.Middleware, which
// knows the arguments, looks them up. A service's report that the request is at fault, such as a 404 or
// [database/sql.ErrNoRows], is the caller's fault. From is safe for concurrent use.
func From(err error, rules ...Rule) *Error {
	if err == nil {
		return nil
	}
	for _, rule := range rules {
		if e, ok := rule(err); ok {
			return e
		}
	}
	if e, ok := err.(*Error); ok { //nolint:errorlint // not wrapped; the walk finds wrapped ones
		return e
	}
	c, author := classify.Error(err, known, nil)
	if e, ok := author.(*Error); ok { //nolint:errorlint // nothing else is returned
		if effect := Effect(c.Effect); effect != e.Effect { // the effect of another branch
			return e.WithEffect(effect).WithCause(err)
		}
		return e
	}
	e := newError(c, err)
	e.origin = origin{kind: true, effect: true}
	return e
}

// Wrap is [From] with another message, even for an *Error: return an *Error unchanged if its message
// says more. [errors.Is] and [errors.As] find the cause. Wrap returns nil for nil and for a nil *Error.
func Wrap(err error, message string) error {
	e := From(err)
	if e == nil {
		return nil
	}
	return e.with(func(c *Error) {
		c.Message = message
		c.setCause(err)
	})
}

// IsRetryable reports whether, according to [From], the identical call may succeed, and cannot do the
// work twice. An error from [FromText], or decoded from JSON without a flag, only says that it may
// succeed. IsRetryable supports wrapped, joined and nil errors.
func IsRetryable(err error) bool {
	e := From(err)
	return e != nil && e.retryable()
}

// CategoryOf returns the category of the first *Error in err's chain, or "", also for nil. It does not
// classify.
func CategoryOf(err error) Category {
	if e := find(err); e != nil {
		return e.Category
	}
	return ""
}

// CodeOf returns the code of the first *Error in err's chain, or "", also for nil. It does not classify.
func CodeOf(err error) Code {
	if e := find(err); e != nil {
		return e.Code
	}
	return ""
}

// find returns the first *Error in err's tree that is not a nil pointer, or nil.
func find(err error) *Error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // not wrapped
		return e
	}
	e, _ := classify.Find(err, asError)
	return e
}

// asError returns err as an *Error, directly or by its As method.
func asError(err error) (*Error, bool) {
	switch x := err.(type) { //nolint:errorlint // one link of the chain
	case *Error:
		return x, x != nil
	case interface{ As(target any) bool }:
		var e *Error
		ok := x.As(&e) && e != nil
		return e, ok
	}
	return nil, false
}

// known is asError for package classify.
func known(err error) (classify.Classification, error) {
	e, ok := asError(err)
	if !ok {
		return classify.Classification{}, nil
	}
	f := e.facts()
	return classify.Classification{
		Category: f.Category, Code: string(e.Code), Retryable: f.Temporary && !f.Partial && !f.Attempted, Effect: f.Effect,
	}, e
}

// newError returns a failure with the code's fixed message.
func newError(c classify.Classification, cause error) *Error {
	e := &Error{
		Category: Category(c.Category), Retryable: c.Retryable, Code: Code(c.Code), Message: hint.Sentence(c.Code),
		Effect: Effect(c.Effect), RetryAfter: c.After, cause: cause,
	}
	e.decide(e.facts(), nil)
	return e
}
