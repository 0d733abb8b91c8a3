// Package class defines the kinds of failure. The tables of the other packages hold a [Class];
// callers of classify get a [Classification]. The package imports only the standard library.
package class

import "time"

// A Classification describes the kind of a failure. Its strings are the wire values. The zero
// Classification means that the failure is unclassified.
type Classification struct {
	Category  string
	Code      string
	Retryable bool
	// Effect is what the call changed: [EffectNone] if the kind of failure proves that nothing was
	// done, [EffectUnknown] if something may have been, empty if nothing is known.
	Effect string
	// After is the minimum delay before a repeat, within [0, MaxDelay].
	After time.Duration
	// Field is the path of the argument that the error names, or empty.
	Field string
}

// Known reports whether the failure is classified.
func (c Classification) Known() bool { return c.Code != "" }

// A Class is a kind of failure. It is a small integer so that tables consist of constants.
type Class uint8

// The classes, in groups by what a caller can do about them.
const (
	// Unknown is the class of an unclassified error.
	Unknown Class = iota

	// TimedOut is a timeout after the request may have been sent.
	TimedOut
	// NotSent is a timeout before the request was sent.
	NotSent
	// Unavailable is a request that was not executed because the service is down.
	Unavailable
	// ReplyLost is a request that may have been executed although no usable reply arrived.
	ReplyLost
	// Exhausted is a lack of disk space or memory, which an operator has to fix.
	Exhausted
	// Throttled is a request that a rate limit rejected.
	Throttled
	// Overloaded is a throttled request whose status does not prove that it was rejected.
	Overloaded
	// OverLimit is an exceeded limit of requests: the HTTP status decides whether it is a rate
	// limit or a plan's quota.
	OverLimit
	// Canceled is a call that somebody canceled.
	Canceled
	// CanceledUnsent is a call that somebody canceled before the request was sent.
	CanceledUnsent
	// Internal is a bug or an unexpected error.
	Internal

	// Unparsed is text that cannot be parsed. The text may be the reply to a request that
	// was carried out. This class and those down to [Untrusted] are the tool's own failure
	// unless the error names a value of the call's arguments: see [Class.AsCallersFault].
	Unparsed
	// UnparsedRange is a number that its type cannot hold.
	UnparsedRange
	// NoFile is a file that does not exist.
	NoFile
	// FileDenied is a file that may not be accessed.
	FileDenied
	// FileInvalid is a path or a file of the wrong kind.
	FileInvalid
	// FileTooLarge is a file or an input over a size limit.
	FileTooLarge
	// NoProgram is a program that does not exist: nothing was started.
	NoProgram
	// ProgramDenied is a program that may not be started.
	ProgramDenied
	// NoHost is an unknown host: nothing was sent.
	NoHost
	// Untrusted is a peer that fails authentication: nothing was sent.
	Untrusted

	// Invalid is an invalid argument or request. This class and the following ones are
	// rejections by a service.
	Invalid
	// Missing is a required argument that is missing.
	Missing
	// NotFound is a referenced object that does not exist.
	NotFound
	// OutOfRange is an argument that is too large, too small or too long.
	OutOfRange
	// Ambiguous is an argument that matches several objects.
	Ambiguous

	// Conflict is a request that conflicts with another change.
	Conflict
	// InProgress is a conflict with the same request, which is still running.
	InProgress
	// Exists is an object that already exists.
	Exists
	// Precondition is a state that does not allow the request.
	Precondition
	// Limit is a quota or a plan that is used up.
	Limit

	// Unauthenticated is missing or invalid credentials.
	Unauthenticated
	// Denied is a missing permission.
	Denied
	// InsufficientScope is a token without the scope that the request needs.
	InsufficientScope
)

// The categories of the wire format.
const (
	Transient  = "transient"  // Transient is a failure that may pass, or an unexpected one.
	Validation = "validation" // Validation means that the arguments must change.
	Business   = "business"   // Business is a rule or a state that does not allow the request.
	Permission = "permission" // Permission is a caller who may not make the request.
)

// The effects of the wire format that a classification states.
const (
	EffectNone    = "none"    // EffectNone means that nothing changed.
	EffectUnknown = "unknown" // EffectUnknown is a call that may have been carried out.
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

	CanceledUnsent: {Category: Transient, Code: "canceled", Effect: EffectNone},
	Internal:       {Category: Transient, Code: "internal", Effect: EffectUnknown},

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

	Unauthenticated:   {Category: Permission, Code: "unauthenticated", Effect: EffectNone},
	Denied:            {Category: Permission, Code: "permission_denied", Effect: EffectNone},
	InsufficientScope: {Category: Permission, Code: "insufficient_scope", Effect: EffectNone},
}

// byCaller holds the classifications of errors that name a value of the call's arguments, for the
// classes that are otherwise the tool's own failure. Text that cannot be parsed does not prove that
// nothing was done.
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

// MayBeCallersFault reports whether the class is the caller's fault if the error names a
// value of the call's arguments.
func (c Class) MayBeCallersFault() bool { return int(c) < len(byCaller) && byCaller[c].Known() }

// Retryable reports whether failures of the class may be repeated.
func (c Class) Retryable() bool { return classes[c].Retryable }

// IsThrottle reports whether the class means that there were too many requests.
func (c Class) IsThrottle() bool { return c == Throttled || c == Overloaded || c == OverLimit }

// IsVague reports whether the class states only that something failed.
func (c Class) IsVague() bool { return c == Unknown || c == Invalid || c == Internal }

// After returns the classification of the class with the delay d, clamped to
// [0, MaxDelay]. Classes that are not retryable have no delay.
func (c Class) After(d time.Duration) (out Classification) {
	out = classes[c]
	if out.Retryable {
		out.After = ClampDelay(d)
	}
	return out
}

// Classification returns the classification of the class, without a delay.
func (c Class) Classification() Classification { return classes[c] }

// AsCallersFault returns the classification of an error that names a value of the call's
// arguments. Its class must satisfy [Class.MayBeCallersFault].
func (c Class) AsCallersFault() Classification { return byCaller[c] }
