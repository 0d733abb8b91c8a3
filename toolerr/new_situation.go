package toolerr

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// NotFound returns a validation failure for a reference that had to exist: kind
// says what was looked for ("file", "ticker"), name how the caller called it.
// Known are the names that the caller may list; the nearest of them, at most five,
// become suggestions and part of the hint. Never pass the identifiers of persons,
// orders or accounts as known: a guess must not reach somebody else's. A search
// without hits is no failure at all: see result.Empty.
func NotFound(kind, name string, known ...string) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeNotFound, Effect: EffectNone,
		Message: fmt.Sprintf("There is no %s %s.", orThing(kind), quoted(name)),
	}
	if near := nearmiss.Find(name, known); len(near) > 0 {
		e.Suggestions = near
		e.Hint = "Did you mean " + list(near) + "? Call again with exactly that, or ask the user."
	}
	return e
}

// InvalidArgument returns a validation failure for the argument at field: got is
// what was sent, want says what to send instead ("a date such as 2026-07-31").
// The choices, if any, are the values that are allowed; the nearest to got become
// suggestions, at most five. The message quotes got, up to 256 bytes: pass nil for
// what nobody should read again. Message and hint have field as it is if it is one word,
// and else in quotes.
func InvalidArgument(field string, got any, want string, choices ...string) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeInvalidArgument, Effect: EffectNone, Field: field,
		Message: fmt.Sprintf("%s must be %s, got %s.", sanitize.Name(field), orThing(want), shown(got)),
		Hint:    fmt.Sprintf("Call again with %s as %s.", sanitize.Name(field), orThing(want)),
	}
	if text, ok := textOf(got); ok {
		if e.Suggestions = nearmiss.Find(text, choices); len(e.Suggestions) > 0 {
			e.Hint = fmt.Sprintf("Call again with %s %s.", sanitize.Name(field), quoted(e.Suggestions[0]))
		}
	}
	return e
}

// OutOfRange returns a validation failure for a value of field outside low to
// high, both included: numbers, [time.Time] (shown as dates where they are
// midnight) or anything that prints well. A bound that is nil is none. Likely is
// the value that was probably meant, or nil. The message says what was got and
// what is allowed, the hint what to send.
func OutOfRange(field string, got, low, high, likely any) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeOutOfRange, Effect: EffectNone, Field: field,
		Message: fmt.Sprintf("%s must be %s, got %s.", sanitize.Name(field), bounds(low, high), shown(got)),
		Hint:    fmt.Sprintf("Call again with %s %s.", sanitize.Name(field), bounds(low, high)),
	}
	if likely != nil {
		e.Suggestions = []string{plain(likely)}
		e.Hint = fmt.Sprintf("If %s was meant, call again with that; else with %s %s.", shown(likely), sanitize.Name(field), bounds(low, high))
	}
	return e
}

// Ambiguous returns a validation failure for an argument that fits more than one
// thing: got is what was sent, options are anything that encodes as JSON, of which
// 20 go on the wire. Nothing is guessed.
func Ambiguous[T any](field, got string, options ...T) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeAmbiguous, Effect: EffectNone, Field: field,
		Message: fmt.Sprintf("%s %s fits %d things.", sanitize.Name(field), quoted(got), len(options)),
	}
	for _, o := range options {
		e.Options = append(e.Options, any(o))
	}
	return e
}

// RateLimited returns a transient failure for too many calls, without effect and
// retryable after the wait. A wait of 0 means that it is not known; see
// [Error.RetryAfter] for its bounds.
func RateLimited(message string, wait time.Duration) *Error {
	return &Error{
		Category: CategoryTransient, Retryable: true, Code: CodeRateLimited, Effect: EffectNone,
		Message: message, RetryAfter: wait,
	}
}

// FailedPrecondition returns a business failure for a call that comes too early:
// message says why, first names the tool that has to be called before, which goes into
// the hint and, as "first", into the details. If first is empty, the hint is the
// default one for the code.
func FailedPrecondition(message, first string) *Error {
	e := &Error{Category: CategoryBusiness, Code: CodeFailedPrecondition, Effect: EffectNone, Message: message}
	if first != "" {
		e.Hint = fmt.Sprintf("Call %s first, then call this tool again.", sanitize.Name(first))
		e.Details = map[string]any{"first": first}
	}
	return e
}

// LimitExceeded returns a business failure for a policy's limit: message is for
// the agent and the log, customerMessage for the customer, without the limit
// itself.
func LimitExceeded(message, customerMessage string) *Error {
	return &Error{
		Category: CategoryBusiness, Code: CodeLimitExceeded, Effect: EffectNone,
		Message: message, CustomerMessage: customerMessage,
	}
}

// Internal returns what an unexpected error is to the agent: transient, not
// retryable, its effect unknown, without a word of the cause, which goes to the
// log and may be nil.
func Internal(cause error) *Error { return newError(classify.Internal(), cause) }

func orThing(s string) string {
	if s == "" {
		return "thing"
	}
	return s
}

// quoted returns text in quotes, short enough for a sentence, without what is
// secret in a URL.
func quoted(text string) string { return strconv.Quote(sanitize.Text(redact.URLs(text), shortText)) }

func list(names []string) string {
	quotes := make([]string, len(names))
	for i, name := range names {
		quotes[i] = quoted(name)
	}
	return strings.Join(quotes, ", ")
}

// shown prints a value as a model would write it: text in quotes, and whatever else does
// not print as one word too, since a caller may have chosen it.
func shown(v any) string {
	if text, ok := textOf(v); ok {
		return quoted(text)
	}
	return sanitize.Name(plain(v))
}

// plain is shown without quotes.
func plain(v any) string {
	switch v := v.(type) {
	case time.Time:
		if v.Equal(v.Truncate(24 * time.Hour)) {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.RFC3339)
	case nil:
		return "nothing"
	}
	if text, ok := textOf(v); ok {
		return text
	}
	return safeSprint(v)
}

// textOf returns a value of a string type that does not say itself how it prints.
func textOf(v any) (string, bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.String {
		return "", false
	}
	switch v.(type) {
	case fmt.Stringer, error, fmt.Formatter:
		return "", false
	}
	return r.String(), true
}

// safeSprint survives String methods that panic on values that fmt does not
// catch.
func safeSprint(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = "something else"
		}
	}()
	return fmt.Sprint(v)
}

// bounds says what is allowed; a bound that is nil is none.
func bounds(low, high any) string {
	switch {
	case low == nil && high == nil:
		return "within its range"
	case low == nil:
		return "at most " + shown(high)
	case high == nil:
		return "at least " + shown(low)
	}
	return "from " + shown(low) + " to " + shown(high)
}
