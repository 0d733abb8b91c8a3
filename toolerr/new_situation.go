package toolerr

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// NotFound returns a validation failure for a name that does not exist, of a kind such as "file". Known
// lists names that the caller may see: up to five of the nearest become suggestions; if none is near, the
// hint lists all, if they are at most five. Never pass identifiers of persons, orders or accounts as known:
// a suggestion would disclose someone else's. A search without hits is no failure: see result.Empty.
func NotFound(kind, name string, known ...string) *Error {
	near, hint := nearmiss.Find(name, known), ""
	if len(near) > 0 {
		hint = "Did you mean " + list(near) + "? Call again with that, or ask the user."
	} else if 0 < len(known) && len(known) <= maxListed {
		hint = "Call again with one of " + list(known) + ", or ask the user."
	}
	e := mistake(CodeNotFound, "", fmt.Sprintf("There is no %s %s.", cmp.Or(kind, "thing"), quoted(name)), hint)
	e.Suggestions = near
	return e
}

// mistake returns a validation failure for an argument, with a constructor's hint.
func mistake(code Code, field, message, hint string) *Error {
	e := refusal(CategoryValidation, code, message)
	e.Field, e.Hint, e.origin.hint = nameOf(field), hint, hint != ""
	return e
}

// InvalidArgument returns a validation failure for the argument at field. Got is the value that was
// sent: the message shows up to 256 bytes of it, or nothing about it if it is nil, as for a secret. Want
// describes the expected value ("a date such as 2026-07-31"). Choices are the allowed values, shown as in
// [NotFound]; one that differs only in its digits is not near. Name none for the position at which a
// batch continues.
func InvalidArgument(field string, got any, want string, choices ...string) *Error {
	name, want := sanitize.Name(field), cmp.Or(want, "thing")
	var near []string
	if text, ok := stringOf(got); ok {
		near = slices.DeleteFunc(nearmiss.Find(text, choices), func(near string) bool { return isOtherNumber(text, near) })
	}
	hint := fmt.Sprintf("Call again with %s as %s.", name, want)
	if len(near) > 0 {
		hint = fmt.Sprintf("Call again with %s %s.", name, quoted(near[0]))
	} else if 0 < len(choices) && len(choices) <= maxListed && !strings.Contains(want, choices[0]) {
		hint = fmt.Sprintf("Call again with %s as one of %s.", name, list(choices))
	}
	e := mistake(CodeInvalidArgument, field, fmt.Sprintf("%s must be %s%s.", name, want, sent(got)), hint)
	e.Suggestions = near
	return e
}

// isOtherNumber reports whether two names differ only in their digits, like the ids of a batch: then
// one is not a misspelling of the other.
func isOtherNumber(a, b string) bool {
	letters := func(name string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(name), unicode.IsDigit), "")
	}
	return !strings.EqualFold(a, b) && letters(a) == letters(b)
}

// maxListed is the maximum number of names in a hint if none is near, chosen to equal the maximum
// number of near misses.
const maxListed = 5

// MissingArgument is [InvalidArgument] for a required argument that is absent.
func MissingArgument(field, want string) *Error {
	name := sanitize.Name(field)
	return mistake(CodeMissingArgument, field, fmt.Sprintf("The argument %s is missing.", name),
		fmt.Sprintf("Call again with %s as %s.", name, cmp.Or(want, "thing")))
}

// AlreadyExists returns a business failure for a name of a kind that is taken.
func AlreadyExists(kind, name string) *Error {
	message := fmt.Sprintf("There is already a %s %s.", cmp.Or(kind, "thing"), quoted(name))
	return refusal(CategoryBusiness, CodeAlreadyExists, message)
}

// OutOfRange returns a validation failure for a value of field that is not between low and high,
// inclusive: numbers, times (midnight is shown as a date), or anything that prints well. A nil bound
// means no bound. Likely is the value that was probably meant, or nil.
func OutOfRange(field string, got, low, high, likely any) *Error {
	name, within := sanitize.Name(field), bounds(low, high)
	message := fmt.Sprintf("%s must be %s%s.", name, within, sent(got))
	e := mistake(CodeOutOfRange, field, message, fmt.Sprintf("Call again with %s %s.", name, within))
	if likely != nil {
		e.Hint = fmt.Sprintf("If %s was meant, call again with that; else with %s %s.", shown(likely), name, within)
		e.Suggestions = []string{plain(likely)}
	}
	return e
}

// Ambiguous returns a validation failure for an argument with more than one match. Options are these: any
// values that encode as JSON.
func Ambiguous[T any](field, got string, options ...T) *Error {
	things := "several things"
	if n := len(options); n > 1 {
		things = fmt.Sprint(n, " things")
	}
	e := mistake(CodeAmbiguous, field, fmt.Sprintf("%s %s fits %s.", sanitize.Name(field), quoted(got), things), "")
	for _, option := range options {
		e.Options = append(e.Options, option)
	}
	return e
}

// FailedPrecondition returns a business failure for a call that requires another call first, also one
// with an expired handle, such as a cursor. First names the tool to call first, for the hint and
// Details["first"]. A sentence is the hint itself: never pass a caller's text. If first is empty, the hint is the
// default.
func FailedPrecondition(message, first string) *Error {
	e := refusal(CategoryBusiness, CodeFailedPrecondition, message)
	e.Hint = sanitize.Word(first)
	if first = nameOf(first); first != "" {
		e.Hint, e.origin.hint = fmt.Sprintf("Call %s first, then call this tool again.", sanitize.Name(first)), true
		e.Details = map[string]any{"first": first}
	}
	return e
}

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

// sent returns the end of a message about the value that was sent, which an author hides with nil.
func sent(v any) string {
	if v == nil {
		return ""
	}
	return ", got " + shown(v)
}

// shown formats a value the way a model would write it. It quotes text, and any other value
// that does not print as one word, because a caller may have chosen it.
func shown(v any) string {
	if text, ok := stringOf(v); ok {
		return quoted(text)
	}
	return sanitize.Name(plain(v))
}

// plain formats a value like shown, but without quotes. What has no format of its own is encoded as JSON,
// because package fmt never returns for a value that contains itself.
func plain(v any) string {
	switch v := v.(type) {
	case time.Time:
		if hour, minute, second := v.Clock(); hour+minute+second+v.Nanosecond() > 0 {
			return v.Format(time.RFC3339)
		}
		return v.Format(time.DateOnly)
	case fmt.Stringer, error, fmt.Formatter:
		return fmt.Sprint(v)
	}
	if text, ok := stringOf(v); ok {
		return text
	}
	return cmp.Or(string(appendValue(nil, v)), "something else")
}

// stringOf returns the text of a value of kind string whose type has no formatting of its own.
func stringOf(v any) (string, bool) {
	switch v.(type) {
	case fmt.Stringer, error, fmt.Formatter:
		return "", false
	}
	r := reflect.ValueOf(v)
	return r.String(), r.Kind() == reflect.String
}

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
