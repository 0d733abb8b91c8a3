// Package class holds the kinds of failure, and what each says: a [Class] comes in from a
// table, and a [Classification] leaves. It imports the standard library alone.
package class

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

// A Class is a kind of failure, so that tables are made of constants.
type Class uint8

const (
	Unknown Class = iota

	TimedOut
	NotSent // a timeout before the request was sent
	Unavailable
	ReplyLost
	Exhausted // somebody has to free space, or memory
	Throttled
	Overloaded // throttled, by a status that proves nothing
	OverLimit  // throttled, or the plan's limit under a status that refuses
	Canceled
	Internal

	// The classes from here to the next comment are the tool's own trouble, unless a
	// Blame says that what the error names stands in the call's arguments; see
	// byCaller.
	Unparsed // a text, which may be the answer to a request that was carried out
	UnparsedRange
	NoFile
	FileDenied
	FileInvalid
	FileTooLarge
	NoProgram // nothing was begun
	ProgramDenied
	NoHost    // nothing was sent
	Untrusted // the other side is not who it should be; nothing was sent

	// The following classes are those of requests that somebody has answered.
	Invalid
	Missing
	NotFound
	OutOfRange
	Ambiguous

	Conflict
	InProgress // a conflict with the same request, which is being carried out
	Exists
	Precondition
	Limit

	Unauthenticated
	Denied
	Scope
)

const (
	Transient  = "transient"
	Validation = "validation"
	Business   = "business"
	Permission = "permission"

	EffectNone    = "none"
	EffectUnknown = "unknown"
)

var classes = [...]Classification{
	TimedOut:    {Category: Transient, Code: "timeout", Retryable: true, Effect: EffectUnknown},
	NotSent:     {Category: Transient, Code: "timeout", Retryable: true, Effect: EffectNone},
	Unavailable: {Category: Transient, Code: "unavailable", Retryable: true, Effect: EffectNone},
	ReplyLost:   {Category: Transient, Code: "unavailable", Retryable: true, Effect: EffectUnknown},
	Exhausted:   {Category: Transient, Code: "unavailable", Effect: EffectUnknown},
	Throttled:   {Category: Transient, Code: "rate_limited", Retryable: true, Effect: EffectNone},
	Overloaded:  {Category: Transient, Code: "rate_limited", Retryable: true, Effect: EffectUnknown},
	OverLimit:   {Category: Transient, Code: "rate_limited", Retryable: true, Effect: EffectNone},
	Canceled:    {Category: Transient, Code: "canceled", Effect: EffectUnknown},
	Internal:    {Category: Transient, Code: "internal", Effect: EffectUnknown},

	Unparsed:      {Category: Transient, Code: "internal", Effect: EffectUnknown},
	UnparsedRange: {Category: Transient, Code: "internal", Effect: EffectUnknown},
	NoFile:        {Category: Transient, Code: "internal", Effect: EffectUnknown},
	FileDenied:    {Category: Transient, Code: "internal", Effect: EffectUnknown},
	FileInvalid:   {Category: Transient, Code: "internal", Effect: EffectUnknown},
	FileTooLarge:  {Category: Transient, Code: "internal", Effect: EffectUnknown},
	NoProgram:     {Category: Transient, Code: "internal", Effect: EffectNone},
	ProgramDenied: {Category: Transient, Code: "internal", Effect: EffectNone},
	NoHost:        {Category: Transient, Code: "internal", Effect: EffectNone},
	Untrusted:     {Category: Transient, Code: "internal", Effect: EffectNone},

	Invalid:    {Category: Validation, Code: "invalid_argument", Effect: EffectNone},
	Missing:    {Category: Validation, Code: "missing_argument", Effect: EffectNone},
	NotFound:   {Category: Validation, Code: "not_found", Effect: EffectNone},
	OutOfRange: {Category: Validation, Code: "out_of_range", Effect: EffectNone},
	Ambiguous:  {Category: Validation, Code: "ambiguous", Effect: EffectNone},

	Conflict:     {Category: Business, Code: "conflict", Effect: EffectNone},
	InProgress:   {Category: Business, Code: "conflict", Effect: EffectUnknown},
	Exists:       {Category: Business, Code: "already_exists", Effect: EffectNone},
	Precondition: {Category: Business, Code: "failed_precondition", Effect: EffectNone},
	Limit:        {Category: Business, Code: "limit_exceeded", Effect: EffectNone},

	Unauthenticated: {Category: Permission, Code: "unauthenticated", Effect: EffectNone},
	Denied:          {Category: Permission, Code: "permission_denied", Effect: EffectNone},
	Scope:           {Category: Permission, Code: "insufficient_scope", Effect: EffectNone},
}

// byCaller are the classifications of the classes whose errors are the tool's own
// trouble, for an error that names something in the call's arguments. That a text
// cannot be parsed does not prove that nothing was done before.
var byCaller = [...]Classification{
	Unparsed:      {Category: Validation, Code: "invalid_argument"},
	UnparsedRange: {Category: Validation, Code: "out_of_range"},
	NoFile:        classes[NotFound],
	FileDenied:    classes[Denied],
	FileInvalid:   classes[Invalid],
	FileTooLarge:  classes[OutOfRange],
	NoProgram:     classes[NotFound],
	ProgramDenied: classes[Denied],
	NoHost:        classes[NotFound],
	Untrusted:     classes[Unauthenticated],
}

// MayBeCallers reports whether byCaller has the class.
func (c Class) MayBeCallers() bool { return int(c) < len(byCaller) && byCaller[c].Known() }

// Retryable reports whether failures of the class may be repeated.
func (c Class) Retryable() bool { return classes[c].Retryable }

// IsThrottle reports whether a class says that there were too many requests.
func (c Class) IsThrottle() bool { return c == Throttled || c == Overloaded || c == OverLimit }

// IsVague reports whether a class says no more than that something is wrong.
func (c Class) IsVague() bool { return c == Unknown || c == Invalid || c == Internal }

// After returns the classification of a class with a delay, which only what may be
// repeated has.
func (c Class) After(d time.Duration) Classification {
	out := classes[c]
	if out.Retryable {
		out.After = ClampDelay(d)
	}
	return out
}

// Classification is what a class says.
func (c Class) Classification() Classification { return classes[c] }

// OfCaller is what a class for which mayBeCallers holds says of an error that names
// something in the arguments of the call.
func (c Class) OfCaller() Classification { return byCaller[c] }
