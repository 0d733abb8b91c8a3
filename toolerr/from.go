package toolerr

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
)

// A Rule recognises an error of the caller's own: it returns the envelope for
// err and true, or false to leave it to the next rule. It has to be safe for
// concurrent use where From is used so. From does not recover from its panics;
// result.Middleware does.
type Rule func(error) (*Error, bool)

// From turns any Go error into an envelope: by the caller's rules first, then an
// *Error in its chain as it is, then by what is known of the standard library,
// and of other libraries by the shape of their errors. From(nil) is nil, and so
// is From of a nil *Error.
//
// The outermost error that says what kind of failure it is decides; a code
// inside beats the HTTP status around it, and a wrapper that declares its error
// permanent forbids a retry whatever is inside. Branches of [errors.Join] are
// classified one by one, and the one that forbids a retry wins, a missing permission
// before all others; the effect is the worst of them all, and unknown where one of
// them is not recognised.
//
// The sentences are fixed for each code, and nothing of err reaches them; err is
// the cause, for the log. What is not known is an internal failure: transient,
// not retryable, its effect unknown. So is an error tree of more than 10,000
// errors, a number chosen to end one without an end. A rule that returns nil and
// true says that err is no failure.
//
// Nobody is blamed without evidence: what cannot be parsed, a file or program that is
// missing or may not be used, an unknown host and an untrusted certificate are
// internal. result.Middleware, which has the call's arguments, looks there for what
// such an error names; if it finds it, the failure is the caller's, and Field says
// where. It does so with what From and Wrap return too, but for what an author has
// said himself. What a service has answered to a request, such as a status 404 or
// [database/sql.ErrNoRows], is the caller's in any case.
//
// It is safe for concurrent use, and recovers from methods of err that panic.
func From(err error, rules ...Rule) *Error {
	if err == nil {
		return nil
	}
	for _, rule := range rules {
		if e, ok := rule(err); ok {
			return e
		}
	}
	if e, ok := err.(*Error); ok { //nolint:errorlint // the bare one; the walk finds the others
		return e
	}
	c, author := classify.Error(err, authored, nil)
	if e, ok := author.(*Error); ok { //nolint:errorlint // nothing else is returned
		if effect := Effect(c.Effect); effect != e.Effect { // of another branch
			return e.WithEffect(effect).WithCause(err)
		}
		return e
	}
	e := newError(c, err)
	e.origin = origin{kind: true, effect: true}
	return e
}

// Wrap returns err as a failure with the author's own message, which goes on the
// wire; the rest is as [From] has it. The cause stays reachable by [errors.Is] and
// As. Wrap of nil, and of a nil *Error, is nil:
//
//	return toolerr.Wrap(save(order), "The order could not be saved.")
//
// To refine the failure, write From(err).WithMessage(message) and go on from there.
func Wrap(err error, message string) error {
	e := From(err)
	if e == nil {
		return nil
	}
	return e.with(func(c *Error) { c.Message, c.cause = message, err })
}

// IsRetryable reports whether the identical call may succeed if it is repeated, as
// [From] classifies err. Wrapped, joined and nil errors are fine.
func IsRetryable(err error) bool {
	e := From(err)
	return e != nil && e.retryable()
}

// CategoryOf returns the category of the first *Error in err's chain, or "". It
// does not classify. Wrapped, joined and nil errors are fine.
func CategoryOf(err error) Category {
	if e := find(err); e != nil {
		return e.Category
	}
	return ""
}

// CodeOf returns the code of the first *Error in err's chain, or "". It does not
// classify. Wrapped, joined and nil errors are fine.
func CodeOf(err error) Code {
	if e := find(err); e != nil {
		return e.Code
	}
	return ""
}

// find returns the first *Error in err's tree, or nil. A nil pointer is none.
func find(err error) *Error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // the bare one
		return e
	}
	e, _ := classify.Find(err, asError)
	return e
}

// asError returns the *Error that err is or says it is.
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

// authored is asError for package classify.
func authored(err error) (classify.Classification, error) {
	e, ok := asError(err)
	if !ok {
		return classify.Classification{}, nil
	}
	return classify.Classification{
		Category: string(e.Category), Code: string(e.Code), Retryable: e.retryable(), Effect: string(e.Effect),
	}, e
}

// newError returns a failure with the code's fixed sentence.
func newError(c classify.Classification, cause error) *Error {
	return &Error{
		Category: Category(c.Category), Retryable: c.Retryable, Code: Code(c.Code), Message: hint.Sentence(c.Code),
		Effect: Effect(c.Effect), RetryAfter: c.After, cause: cause,
	}
}
