package toolerr

import (
	"cmp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
)

// A Rule classifies a program's own errors, or returns false to leave err to the next rule. Concurrent
// calls of From call it concurrently. From does not recover its panics.
type Rule func(error) (*Error, bool)

// From turns any Go error into an envelope, by the first of these that knows it: the caller's rules, an
// *[Error] in the chain, which is returned, the values and types of the standard library, the codes,
// statuses and methods of other libraries' errors, well-known texts such as "redis: nil", the type's name.
//
// Any other failure is [Internal]; so is a tree of more than 10,000 errors (chosen as a limit on
// infinite trees) and an err whose methods panic. From returns nil if err is nil or a nil *Error, or if
// a rule returns nil, true. Each code has a fixed message; err is the cause, for the log.
//
// The outermost error whose kind is known decides, but a specific code inside takes precedence over the
// HTTP status around it. Of the branches of [errors.Join], one that forbids a retry decides; the effect
// is the worst: applied, then unknown.
//
// From does not blame the caller without evidence: what cannot be parsed, a missing file, an unknown host
// or a database's report about the server's own statement is internal, and result.Middleware looks it
// up in the arguments. A service's 404 is the caller's fault. From is safe for concurrent use.
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

// Wrap is [From] with another message, even for an *Error, and err as the cause. A nil err, or a nil
// *Error, is nil.
func Wrap(err error, message string) error {
	e := From(err)
	if e == nil {
		return nil
	}
	return e.WithMessage(message).WithCause(err)
}

// IsRetryable reports whether the failure that [From] returns allows a repeat; [Error.Resolve] decides
// for a tool. From [FromText] or foreign JSON, it only says that a repeat may succeed.
func IsRetryable(err error) bool {
	e := From(err)
	return e != nil && e.retryable()
}

// CategoryOf returns the category of the first *Error in err's chain, or "".
func CategoryOf(err error) Category { return cmp.Or(find(err), new(Error)).Category }

// CodeOf returns the code of the first *Error in err's chain, or "".
func CodeOf(err error) Code { return cmp.Or(find(err), new(Error)).Code }

// find returns the first *Error in err's tree that is not a nil pointer, or nil.
func find(err error) *Error {
	e, _ := classify.Find(err, classify.As[Error])
	return e
}

// known implements [classify.Known].
func known(err error) (classify.Classification, error) {
	e, ok := classify.As[Error](err)
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
	if c.After > 0 && !c.Retryable { // the member goes with a retryable failure
		e.RetryAfter, e.Details = 0, map[string]any{"retryAfterMs": millis(c.After)}
	}
	e.decide(e.facts(), nil)
	return e
}

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
