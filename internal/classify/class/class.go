// Package class defines the kinds of failure. The tables of the other packages hold a [Class];
// callers of classify get a [Classification]. The package imports only the standard library.
package class

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
)

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

// A Class is a kind of failure: a row of classes.tsv.
type Class uint8

// The classes, in the order of classes.tsv. Those from Unparsed to Forbidden are the tool's fault
// unless the error names a value of the call's arguments: see [Class.AsCallersFault]. Those from
// Invalid on are rejections by a service.
const (
	Unknown        Class = iota // an unclassified error
	TimedOut                    // a timeout after the request may have been sent
	NotSent                     // a timeout before anything was done or kept
	NotAccepted                 // the service cannot execute the request now and did not
	ReplyLost                   // no usable reply arrived, but the request may have been executed
	Exhausted                   // no disk space or memory, or a disk error: an operator has to fix it
	Throttled                   // a rate limit rejected the request
	Overloaded                  // throttling with a status that does not prove that the request was rejected
	OverLimit                   // a limit of requests; the HTTP status decides: a rate limit or a plan's quota
	Canceled                    // the call was canceled
	CanceledUnsent              // the call was canceled before the request was sent
	Internal                    // a bug or an unexpected error

	Unparsed      // text that cannot be parsed: it may be the reply to a request that was carried out
	UnparsedRange // a number does not fit its type
	NoFile        // a file does not exist
	FileDenied    // a file may not be accessed
	FileInvalid   // a path or a file of the wrong kind
	FileTooLarge  // a file or an input exceeds a size limit
	NoProgram     // a program does not exist: nothing was started
	ProgramDenied // a program may not be started
	NoHost        // the host is unknown: nothing was sent
	Untrusted     // the peer failed authentication: nothing was sent
	Statement     // a service rejects the statement that it was sent, or a name in it
	Forbidden     // a statement needs a right that the tool's login lacks

	Invalid    // an argument or the request is invalid
	Missing    // a required argument is missing
	NotFound   // a referenced object does not exist
	OutOfRange // an argument is too large, too small or too long
	Ambiguous  // an argument matches several objects

	Conflict     // the request conflicts with another change
	InProgress   // the same request is still running
	Exists       // the object already exists
	Precondition // the current state does not allow the request
	Limit        // a quota or plan is exceeded
	Declined     // a person did not want the call

	Unauthenticated   // the credentials are missing or invalid
	Denied            // a permission is missing
	InsufficientScope // the token lacks a scope that the request needs

	Classes // Classes is the number of classes.
)

// The categories of the wire format, and the effects that a class can state.
const (
	Transient     = "transient"  // a failure that may pass, or an unexpected one
	Validation    = "validation" // the arguments must change
	Business      = "business"   // a rule or a state does not allow the request
	Permission    = "permission" // the caller may not make the request
	EffectNone    = "none"       // nothing changed
	EffectUnknown = "unknown"    // the call may have been carried out
)

// Categories are all of them; all but the first forbid a retry.
var Categories = []string{Transient, Validation, Business, Permission}

//go:embed classes.tsv
var file string

// A table has the classifications of the classes, and what they are if they are the caller's fault.
type table struct {
	own, callers [Classes]Classification
	byName       map[string]Class
}

var all = sync.OnceValue(func() *table {
	t, c := &table{byName: map[string]Class{}}, Classes
	for _, line := range slices.Backward(strings.Split(strings.TrimSpace(file), "\n")) { // the caller's are below
		if c--; c == Unknown {
			break // above are comments
		}
		f := append(strings.Fields(line), "", "", "")
		t.byName[f[0]] = c
		t.own[c] = Classification{Category: f[1], Code: f[2], Retryable: f[4] == "retryable", Effect: f[3]}
		if f[4] == "caller" {
			t.callers[c] = t.own[t.byName[f[5]]]
		}
		if f[6] == "-" {
			t.callers[c].Effect = ""
		}
	}
	return t
})

// Named returns the class with a name in the tables, or [Unknown].
func Named(name string) Class { return all().byName[name] }

// Unexpected returns the classification of a failure that nothing classifies: that of [Internal].
func Unexpected() Classification {
	c := Internal.Classification()
	c.unexpected = true
	return c
}

// AsCallersFault returns the classification of an error that names a value of the call's arguments.
// It is the zero Classification if it is never the caller's fault.
func (c Class) AsCallersFault() Classification { return all().callers[c] }

// Classification returns the classification of the class, without a delay.
func (c Class) Classification() Classification { return all().own[c] }

// Retryable reports whether a call that failed with the class may be repeated.
func (c Class) Retryable() bool { return all().own[c].Retryable }

// IsThrottle reports whether the class means that too many requests were made.
func (c Class) IsThrottle() bool { return c == Throttled || c == Overloaded || c == OverLimit }

// IsVague reports whether the class states only that something failed.
func (c Class) IsVague() bool {
	return c == Unknown || c == Invalid || c == Internal || c.RejectsStatement()
}

// RejectsStatement reports whether the class is a service's rejection of a statement.
func (c Class) RejectsStatement() bool { return c == Statement || c == Forbidden }

// After returns the classification of the class with the delay d, clamped to
// [0, MaxDelay]. Classes that are not retryable have no delay, a plan's limit only one of a minute or more.
func (c Class) After(d time.Duration) (out Classification) {
	out = c.Classification()
	if out.Retryable || c == Limit && d >= time.Minute {
		out.After = ClampDelay(d)
	}
	return out
}

// MaxDelay bounds delays, so that arithmetic on them never overflows. No caller waits for a year,
// and a [time.Duration] can hold 292 years.
const MaxDelay = 365 * 24 * time.Hour

// ClampDelay returns d within [0, MaxDelay].
func ClampDelay(d time.Duration) time.Duration { return min(max(d, 0), MaxDelay) }

// Seconds returns n seconds as a delay within [0, MaxDelay]. It is 0 if n is negative or NaN.
func Seconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(min(n, MaxDelay.Seconds()) * float64(time.Second))
}
