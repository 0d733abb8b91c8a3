package toolerr

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// NotFound returns a validation failure for a name that does not exist. Kind says what was looked
// up ("file", "ticker"), and name is the caller's name for it. Known lists names that the caller
// may see; up to five of the nearest become suggestions and part of the hint. If none is near, the
// hint lists all, unless there are more than five. Never pass identifiers of persons, orders or
// accounts as known, because a suggestion would disclose someone else's. A search without hits is
// not a failure: see result.Empty.
func NotFound(kind, name string, known ...string) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeNotFound, Effect: EffectNone, origin: origin{hint: true},
		Message: fmt.Sprintf("There is no %s %s.", cmp.Or(kind, "thing"), quoted(name)),
	}
	if near := nearmiss.Find(name, known); len(near) > 0 {
		e.Suggestions = near
		e.Hint = "Did you mean " + list(near) + "? Call again with that, or ask the user."
	} else if 0 < len(known) && len(known) <= maxListed {
		e.Hint = "Call again with one of " + list(known) + ", or ask the user."
	}
	return e
}

// InvalidArgument returns a validation failure for the argument at field. Got is the value that was
// sent, and want describes the expected value ("a date such as 2026-07-31"). The choices, if any,
// are the allowed values; up to five of the nearest become suggestions. If none is near, the hint
// lists all, unless there are more than five or want contains the first. A choice that differs only
// in its digits is not near. Name no choices for the position at which a batch continues. The message shows up to
// 256 bytes of got: pass nil to hide it. Message and hint quote field unless it is one word.
func InvalidArgument(field string, got any, want string, choices ...string) *Error {
	e := &Error{
		Category: CategoryValidation, Code: CodeInvalidArgument, Effect: EffectNone, Field: nameOf(field),
		origin:  origin{hint: true},
		Message: fmt.Sprintf("%s must be %s, got %s.", sanitize.Name(field), cmp.Or(want, "thing"), shown(got)),
		Hint:    fmt.Sprintf("Call again with %s as %s.", sanitize.Name(field), cmp.Or(want, "thing")),
	}
	if text, ok := stringOf(got); ok {
		e.Suggestions = slices.DeleteFunc(nearmiss.Find(text, choices), func(near string) bool { return isOtherNumber(text, near) })
	}
	switch {
	case len(e.Suggestions) > 0:
		e.Hint = fmt.Sprintf("Call again with %s %s.", sanitize.Name(field), quoted(e.Suggestions[0]))
	case 0 < len(choices) && len(choices) <= maxListed && !strings.Contains(want, choices[0]):
		e.Hint = fmt.Sprintf("Call again with %s as one of %s.", sanitize.Name(field), list(choices))
	}
	return e
}

// isOtherNumber reports whether two names differ only in their digits, like the ids of a batch: then
// one is not a misspelling of the other.
func isOtherNumber(a, b string) bool {
	withoutDigits := func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}
	return !strings.EqualFold(a, b) && strings.Map(withoutDigits, a) == strings.Map(withoutDigits, b)
}

// maxListed is the maximum number of names in a hint if none is near, chosen to equal the maximum
// number of near misses.
const maxListed = 5

// MissingArgument returns a validation failure for a required argument that is absent. Want
// describes the expected value.
func MissingArgument(field, want string) *Error {
	return &Error{
		Category: CategoryValidation, Code: CodeMissingArgument, Effect: EffectNone, Field: nameOf(field),
		origin:  origin{hint: true},
		Message: fmt.Sprintf("The argument %s is missing.", sanitize.Name(field)),
		Hint:    fmt.Sprintf("Call again with %s as %s.", sanitize.Name(field), cmp.Or(want, "thing")),
	}
}

// AlreadyExists returns a business failure for a name that is taken. Kind is the kind of
// thing ("branch", "user"), and name is the caller's name for it.
func AlreadyExists(kind, name string) *Error {
	return Business(fmt.Sprintf("There is already a %s %s.", cmp.Or(kind, "thing"), quoted(name))).WithCode(CodeAlreadyExists)
}

// OutOfRange returns a validation failure for a value of field that is not between low and high,
// inclusive. The values are numbers, times (midnight is shown as a date), or anything that prints
// well. A nil bound means no bound. Likely is the value that was probably meant, or nil. The
// message states the value and the range, and the hint states what to send. Numeric bounds may be
// given in either order. For a number inside the range, the message omits the range.
func OutOfRange(field string, got, low, high, likely any) *Error {
	least, hasLeast := numberOf(low)
	most, hasMost := numberOf(high)
	if hasLeast && hasMost && least > most {
		low, high, least, most = high, low, most, least
	}
	e := &Error{
		Category: CategoryValidation, Code: CodeOutOfRange, Effect: EffectNone, Field: nameOf(field),
		origin:  origin{hint: true},
		Message: fmt.Sprintf("%s must be %s, got %s.", sanitize.Name(field), bounds(low, high), shown(got)),
		Hint:    fmt.Sprintf("Call again with %s %s.", sanitize.Name(field), bounds(low, high)),
	}
	v, isNumber := numberOf(got)
	isInside := isNumber && (low == nil || hasLeast && v >= least) && (high == nil || hasMost && v <= most)
	switch {
	case isInside: // the bounds are not the reason
		e.Message, e.Hint = fmt.Sprintf("%s is out of range, got %s.", sanitize.Name(field), shown(got)), ""
	case likely != nil:
		e.Hint = fmt.Sprintf("If %s was meant, call again with that; else with %s %s.", shown(likely), sanitize.Name(field), bounds(low, high))
	}
	if likely != nil {
		e.Suggestions = []string{plain(likely)}
	}
	return e
}

// Ambiguous returns a validation failure for an argument with more than one match. Got is the value
// that was sent. Options are the matches, one argument each. They may be any values that encode as
// JSON; at most 20 are sent. For any other failure, use [Error.WithOptions].
func Ambiguous[T any](field, got string, options ...T) *Error {
	e := &Error{Category: CategoryValidation, Code: CodeAmbiguous, Effect: EffectNone, Field: nameOf(field)}
	for _, option := range options {
		if list := reflect.ValueOf(option); len(options) == 1 && list.Kind() == reflect.Slice { // passed without the three dots
			for i := range list.Len() {
				e.Options = append(e.Options, list.Index(i).Interface())
			}
			break
		}
		e.Options = append(e.Options, any(option))
	}
	things := "several things"
	if n := len(e.Options); n > 1 {
		things = fmt.Sprint(n, " things")
	}
	e.Message = fmt.Sprintf("%s %s fits %s.", sanitize.Name(field), quoted(got), things)
	return e
}

func numberOf(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

// RateLimited returns a transient failure for too many calls. Its effect is none, and it is
// retryable after the wait. A wait of 0 means unknown; see [Error.RetryAfter] for its bounds.
func RateLimited(message string, wait time.Duration) *Error {
	return &Error{
		Category: CategoryTransient, Retryable: true, Code: CodeRateLimited, Effect: EffectNone,
		Message: message, RetryAfter: wait,
	}
}

// FailedPrecondition returns a business failure for a call that requires another call first, also
// one with a handle that has expired: a basket, a cursor or a login that an earlier call returned.
// Message says why. First is the name of the tool to call first, which appears in the hint and as
// Details["first"]; result.Middleware sends neither if its server has no such tool. If first is a
// sentence of one line instead of a name, it is the hint, or the message if the message is a name:
// never pass a caller's text. If first is empty, the hint is the code's default.
func FailedPrecondition(message, first string) *Error {
	if strings.ContainsRune(first, ' ') && !strings.ContainsRune(message, ' ') {
		message, first = first, message
	}
	e := &Error{Category: CategoryBusiness, Code: CodeFailedPrecondition, Effect: EffectNone, Message: message, Hint: sanitize.Word(first)}
	if first = nameOf(first); first != "" {
		e.Hint, e.origin.hint = fmt.Sprintf("Call %s first, then call this tool again.", sanitize.Name(first)), true
		e.Details = map[string]any{"first": first}
	}
	return e
}

// LimitExceeded returns a business failure for a call that exceeds a policy's limit. Message is for
// the agent and the log. CustomerMessage is for the customer, and should not disclose the limit.
func LimitExceeded(message, customerMessage string) *Error {
	return &Error{
		Category: CategoryBusiness, Code: CodeLimitExceeded, Effect: EffectNone,
		Message: message, CustomerMessage: customerMessage,
	}
}

// Internal returns the failure for an unexpected error: transient, not retryable, with an
// unknown effect. The cause, which may be nil, is only logged.
func Internal(cause error) *Error { return newError(classify.Internal(), cause) }

// nameOf returns text if it is a name, or "" if it is a sentence: three words or more, or two that
// end with a period.
func nameOf(text string) string {
	if words := len(strings.Fields(text)); words > 2 || words == 2 && strings.HasSuffix(text, ".") {
		return ""
	}
	return text
}

// quoted returns text in quotes, short enough for a sentence, and with its secrets masked.
func quoted(text string) string { return sanitize.Quote(redact.Mask(text), shortText) }

func list(names []string) string {
	quotes := make([]string, len(names))
	for i, name := range names {
		quotes[i] = quoted(name)
	}
	return strings.Join(quotes, ", ")
}

// shown formats a value the way a model would write it. It quotes text, and any other value
// that does not print as one word, because a caller may have chosen it.
func shown(v any) string {
	if text, ok := stringOf(v); ok {
		return quoted(text)
	}
	return sanitize.Name(plain(v))
}

// plain formats a value like shown, but without quotes.
func plain(v any) string {
	switch v := v.(type) {
	case time.Time:
		if hour, minute, second := v.Clock(); hour+minute+second+v.Nanosecond() == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.RFC3339)
	case nil:
		return "nothing"
	}
	if text, ok := stringOf(v); ok {
		return text
	}
	return safeSprint(v)
}

// stringOf returns the text of a value of kind string whose type has no formatting of its own.
func stringOf(v any) (string, bool) {
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

// safeSprint formats a value, even if its String method panics in a way that fmt does not recover
// from. Maps, lists and structs without a format of their own are encoded as JSON, because package
// fmt never returns for a value that contains itself.
func safeSprint(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = unprintable
		}
	}()
	switch v.(type) {
	case fmt.Stringer, error, fmt.Formatter:
		return fmt.Sprint(v)
	}
	switch reflect.TypeOf(v).Kind() { //nolint:exhaustive // the other kinds have no parts
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
		if raw, ok := appendValue(nil, v); ok {
			return string(raw)
		}
		return unprintable
	}
	return fmt.Sprint(v)
}

// unprintable stands for a value that cannot be formatted.
const unprintable = "something else"

// bounds describes the allowed range; a nil bound means no bound.
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
