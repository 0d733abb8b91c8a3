// Package classify takes any Go error, HTTP response, status, code word or number,
// and returns what is known of the failure: a [Classification]. It knows the
// standard library by value and type, other libraries by the shape of their errors,
// and imports the standard library alone.
package classify

import "time"

// A Classification says what kind of failure something is. Its words are those of
// the wire. The zero Classification says that nothing is known.
type Classification struct {
	Category  string
	Code      string
	Retryable bool
	// Effect is what the call changed: none if the kind of failure proves that
	// nothing was done, else unknown, or empty.
	Effect string
	// After is the least time to wait before a repeat. It is within [0, MaxDelay].
	After time.Duration
	// Field is the path of the argument that the error is about, as a [Blame] has
	// found it, or empty.
	Field string
	// Words says that it was read from the words of a text alone: nobody has to have
	// judged the request.
	Words bool
}

// Known reports whether anything is known of the failure.
func (c Classification) Known() bool { return c.Code != "" }

// Internal is the classification of an unexpected error.
func Internal() Classification { return classes[internal] }

// A class is a kind of failure, so that tables are made of constants.
type class uint8

const (
	unknown class = iota

	timedOut
	notSent // a timeout before the request was sent
	unavailable
	replyLost
	exhausted // somebody has to free space, or memory
	throttled
	overloaded // throttled, by a status that proves nothing
	overLimit  // throttled, or the plan's limit under a status that refuses
	canceled
	internal

	// The classes from here to the next comment are the tool's own trouble, unless a
	// Blame says that what the error names stands in the call's arguments; see
	// byCaller.
	unparsed // a text, which may be the answer to a request that was carried out
	unparsedRange
	noFile
	fileDenied
	fileInvalid
	fileTooLarge
	noProgram // nothing was begun
	programDenied
	noHost    // nothing was sent
	untrusted // the other side is not who it should be; nothing was sent

	// The following classes are those of requests that somebody has answered.
	invalid
	missing
	notFound
	outOfRange
	ambiguous

	conflict
	inProgress // a conflict with the same request, which is being carried out
	exists
	precondition
	limit

	unauthenticated
	denied
	scope
)

const (
	transient  = "transient"
	validation = "validation"
	business   = "business"
	permission = "permission"

	effectNone    = "none"
	effectUnknown = "unknown"
)

var classes = [...]Classification{
	timedOut:    {Category: transient, Code: "timeout", Retryable: true, Effect: effectUnknown},
	notSent:     {Category: transient, Code: "timeout", Retryable: true, Effect: effectNone},
	unavailable: {Category: transient, Code: "unavailable", Retryable: true, Effect: effectNone},
	replyLost:   {Category: transient, Code: "unavailable", Retryable: true, Effect: effectUnknown},
	exhausted:   {Category: transient, Code: "unavailable", Effect: effectUnknown},
	throttled:   {Category: transient, Code: "rate_limited", Retryable: true, Effect: effectNone},
	overloaded:  {Category: transient, Code: "rate_limited", Retryable: true, Effect: effectUnknown},
	overLimit:   {Category: transient, Code: "rate_limited", Retryable: true, Effect: effectNone},
	canceled:    {Category: transient, Code: "canceled", Effect: effectUnknown},
	internal:    {Category: transient, Code: "internal", Effect: effectUnknown},

	unparsed:      {Category: transient, Code: "internal", Effect: effectUnknown},
	unparsedRange: {Category: transient, Code: "internal", Effect: effectUnknown},
	noFile:        {Category: transient, Code: "internal", Effect: effectUnknown},
	fileDenied:    {Category: transient, Code: "internal", Effect: effectUnknown},
	fileInvalid:   {Category: transient, Code: "internal", Effect: effectUnknown},
	fileTooLarge:  {Category: transient, Code: "internal", Effect: effectUnknown},
	noProgram:     {Category: transient, Code: "internal", Effect: effectNone},
	programDenied: {Category: transient, Code: "internal", Effect: effectNone},
	noHost:        {Category: transient, Code: "internal", Effect: effectNone},
	untrusted:     {Category: transient, Code: "internal", Effect: effectNone},

	invalid:    {Category: validation, Code: "invalid_argument", Effect: effectNone},
	missing:    {Category: validation, Code: "missing_argument", Effect: effectNone},
	notFound:   {Category: validation, Code: "not_found", Effect: effectNone},
	outOfRange: {Category: validation, Code: "out_of_range", Effect: effectNone},
	ambiguous:  {Category: validation, Code: "ambiguous", Effect: effectNone},

	conflict:     {Category: business, Code: "conflict", Effect: effectNone},
	inProgress:   {Category: business, Code: "conflict", Effect: effectUnknown},
	exists:       {Category: business, Code: "already_exists", Effect: effectNone},
	precondition: {Category: business, Code: "failed_precondition", Effect: effectNone},
	limit:        {Category: business, Code: "limit_exceeded", Effect: effectNone},

	unauthenticated: {Category: permission, Code: "unauthenticated", Effect: effectNone},
	denied:          {Category: permission, Code: "permission_denied", Effect: effectNone},
	scope:           {Category: permission, Code: "insufficient_scope", Effect: effectNone},
}

// byCaller are the classifications of the classes whose errors are the tool's own
// trouble, for an error that names something in the call's arguments. That a text
// cannot be parsed does not prove that nothing was done before.
var byCaller = [...]Classification{
	unparsed:      {Category: validation, Code: "invalid_argument"},
	unparsedRange: {Category: validation, Code: "out_of_range"},
	noFile:        classes[notFound],
	fileDenied:    classes[denied],
	fileInvalid:   classes[invalid],
	fileTooLarge:  classes[outOfRange],
	noProgram:     classes[notFound],
	programDenied: classes[denied],
	noHost:        classes[notFound],
	untrusted:     classes[unauthenticated],
}

// mayBeCallers reports whether byCaller has the class.
func (c class) mayBeCallers() bool { return int(c) < len(byCaller) && byCaller[c].Known() }

// retryable reports whether failures of the class may be repeated.
func (c class) retryable() bool { return classes[c].Retryable }

// isThrottle reports whether a class says that there were too many requests.
func (c class) isThrottle() bool { return c == throttled || c == overloaded || c == overLimit }

// under returns what a code says that came with an HTTP status. A limit on requests of
// which the code does not say that it is one of a rate is the plan's if the status
// refuses for good.
func (c class) under(status int) class {
	switch {
	case c != overLimit:
		return c
	case isRefusal(status):
		return limit
	}
	return throttled
}

// isVague reports whether a class says no more than that something is wrong.
func (c class) isVague() bool { return c == unknown || c == invalid || c == internal }

// after returns the classification of a class with a delay, which only what may be
// repeated has.
func (c class) after(d time.Duration) Classification {
	out := classes[c]
	if out.Retryable {
		out.After = ClampDelay(d)
	}
	return out
}
