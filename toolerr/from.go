package toolerr

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
// judged one by one, and the one that forbids a retry wins, a missing permission
// before all others.
//
// The sentences are fixed for each code, and nothing of err reaches them; err is
// the cause, for the log. What is not known is an internal failure: transient,
// not retryable, its effect unknown. So is an error tree of more than 10,000
// errors, a number chosen to end one without an end. A rule that returns nil and
// true says that err is no failure.
//
// What cannot be parsed is taken for the caller's input, but nothing is said of its
// effect. Where it is the answer of a service behind the tool, say so in its place:
//
//	toolerr.Transient("The service sent an answer that cannot be read.").
//		WithEffect(toolerr.EffectUnknown).WithCause(err)
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
	f := judge(err)
	if f.explicit != nil {
		return f.explicit
	}
	return f.verdict.error(err)
}

// Wrap is [From] without rules and with the author's own message, which goes on
// the wire. The cause stays reachable by [errors.Is] and As. Wrap of nil, and of a
// nil *Error, is nil: a nil *Error, so check err before returning it as an error.
func Wrap(err error, message string) *Error {
	e := From(err)
	if e == nil {
		return nil
	}
	return e.with(func(c *Error) { c.Message, c.cause = message, err })
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
