// Package class defines the kinds of failure. The tables of the other packages hold a [Class];
// callers of classify get a [Classification]. The package imports only the standard library.
package class

import "time"

// A Classification describes a failure. Its strings are the wire values. The zero Classification
// means that the failure is unclassified.
type Classification struct {
	Category  string
	Code      string
	Retryable bool
	// Effect is what the call changed: what an author stated, [EffectNone] if the kind of failure
	// proves that nothing was done, [EffectUnknown] if something may have been, empty if nothing is
	// known.
	Effect string
	// After is the minimum delay before a repeat, within [0, MaxDelay].
	After time.Duration
	// Field is the path of the argument that the error names, or empty.
	Field      string
	unexpected bool
}

// Known reports whether the failure is classified.
func (c Classification) Known() bool { return c.Code != "" }

// A Class is a kind of failure. It is a small integer so that tables consist of constants.
type Class uint8

// The classes, grouped by what a caller can do about them.
const (
	// Unknown is the class of an unclassified error.
	Unknown Class = iota

	// TimedOut means a timeout after the request may have been sent.
	TimedOut
	// NotSent means a timeout before anything was done or kept.
	NotSent
	// Unavailable means that the service cannot execute the request now and did not.
	Unavailable
	// ReplyLost means that no usable reply arrived, but the request may have been executed.
	ReplyLost
	// Exhausted means a lack of disk space or memory, or a disk error: an operator has to fix it.
	Exhausted
	// Throttled means that a rate limit rejected the request.
	Throttled
	// Overloaded means throttling with a status that does not prove that the request was rejected.
	Overloaded
	// OverLimit means that a limit of requests was exceeded: the HTTP status decides whether it is
	// a rate limit or a plan's quota.
	OverLimit
	// Canceled means that the call was canceled.
	Canceled
	// CanceledUnsent means that the call was canceled before the request was sent.
	CanceledUnsent
	// Internal means a bug or an unexpected error.
	Internal

	// Unparsed means that text cannot be parsed. It may be the reply to a request that was carried
	// out. This class and those down to [Forbidden] are the tool's fault unless the error names a
	// value of the call's arguments: see [Class.AsCallersFault].
	Unparsed
	// UnparsedRange means that a number does not fit its type.
	UnparsedRange
	// NoFile means that a file does not exist.
	NoFile
	// FileDenied means that a file may not be accessed.
	FileDenied
	// FileInvalid means a path or a file of the wrong kind.
	FileInvalid
	// FileTooLarge means that a file or an input exceeds a size limit.
	FileTooLarge
	// NoProgram means that a program does not exist: nothing was started.
	NoProgram
	// ProgramDenied means that a program may not be started.
	ProgramDenied
	// NoHost means that the host is unknown: nothing was sent.
	NoHost
	// Untrusted means that the peer failed authentication: nothing was sent.
	Untrusted
	// Statement means that a service rejects the statement that it was sent, or a name in it.
	Statement
	// Forbidden means that a statement needs a right that the tool's login lacks.
	Forbidden

	// Invalid means that an argument or the request is invalid. This class and the following ones
	// are rejections by a service.
	Invalid
	// Missing means that a required argument is missing.
	Missing
	// NotFound means that a referenced object does not exist.
	NotFound
	// OutOfRange means that an argument is too large, too small or too long.
	OutOfRange
	// Ambiguous means that an argument matches several objects.
	Ambiguous

	// Conflict means that the request conflicts with another change.
	Conflict
	// InProgress means that the same request is still running.
	InProgress
	// Exists means that the object already exists.
	Exists
	// Precondition means that the current state does not allow the request.
	Precondition
	// Limit means that a quota or plan is exceeded.
	Limit
	// Declined means that a person did not want the call.
	Declined

	// Unauthenticated means that the credentials are missing or invalid.
	Unauthenticated
	// Denied means that a permission is missing.
	Denied
	// InsufficientScope means that the token lacks a scope that the request needs.
	InsufficientScope
)

// The categories of the wire format.
const (
	Transient  = "transient"  // Transient means a failure that may pass, or an unexpected one.
	Validation = "validation" // Validation means that the arguments must change.
	Business   = "business"   // Business means that a rule or a state does not allow the request.
	Permission = "permission" // Permission means that the caller may not make the request.
)

// The effects of the wire format that a class can state.
const (
	EffectNone    = "none"    // EffectNone means that nothing changed.
	EffectUnknown = "unknown" // EffectUnknown means that the call may have been carried out.
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
	Statement:     {Category: Transient, Code: "internal", Effect: EffectUnknown},
	Forbidden:     {Category: Transient, Code: "internal", Effect: EffectUnknown},

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
	Declined:     {Category: Business, Code: "canceled", Effect: EffectNone},

	Unauthenticated:   {Category: Permission, Code: "unauthenticated", Effect: EffectNone},
	Denied:            {Category: Permission, Code: "permission_denied", Effect: EffectNone},
	InsufficientScope: {Category: Permission, Code: "insufficient_scope", Effect: EffectNone},
}

// byCaller holds the classifications of errors that name a value of the call's arguments, for
// classes that are the tool's fault otherwise. Text that cannot be parsed does not prove that
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
	Statement:     {Category: Validation, Code: "invalid_argument"}, // an earlier one may have been executed
	Forbidden:     {Category: Permission, Code: "permission_denied"},
}

// Unexpected returns the classification of a failure that nothing classifies: that of [Internal].
func Unexpected() Classification {
	return Classification{Category: Transient, Code: "internal", Effect: EffectUnknown, unexpected: true}
}

// MayBeCallersFault reports whether the class is the caller's fault if the error names a
// value of the call's arguments.
func (c Class) MayBeCallersFault() bool { return int(c) < len(byCaller) && byCaller[c].Known() }

// Retryable reports whether a call that failed with the class may be repeated.
func (c Class) Retryable() bool { return classes[c].Retryable }

// IsThrottle reports whether the class means that too many requests were made.
func (c Class) IsThrottle() bool { return c == Throttled || c == Overloaded || c == OverLimit }

// IsVague reports whether the class states only that something failed.
func (c Class) IsVague() bool {
	return c == Unknown || c == Invalid || c == Internal || c.IsRejection()
}

// IsRejection reports whether the class is a service's rejection of a statement.
func (c Class) IsRejection() bool { return c == Statement || c == Forbidden }

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
