package toolerr

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// An Error tells an agent about a failed tool call: the kind of failure, whether the identical call
// may be retried, and what to do next. The exported fields are sent, and the model sees all of
// them. The cause, which [Error.Unwrap] returns, is only logged.
//
// Create an Error with a constructor, or from any Go error with [From], and refine it with the With
// methods. These return changed copies. Lists and maps of type []any, []string, map[string]any and
// map[string]string are copied too, unless they have more than 4,096 parts, which no envelope can
// hold. A package-level value is therefore a safe template:
//
//	var ErrFrozen = toolerr.Business("The account is frozen.").
//		WithCode("account_frozen").
//		WithCustomerMessage("Your account needs a check. A colleague will call you.")
//
// A copy matches its original under [errors.Is]. Do not change an Error after it is returned or
// shared; its methods are then safe for concurrent use. A nil *Error is not a failure: its text is
// "<nil>", its JSON is null, Resolve and the With methods return nil, and UnmarshalJSON fails.
//
// The zero value is an unclassified failure: it has no category, is not retryable, and its
// message is "The tool failed.".
type Error struct { //nolint:recvcheck // a nil pointer has methods too, and a value must not print its fields
	// Category is the kind of failure. Unknown categories are kept.
	Category Category
	// Retryable states that the identical call may be sent again, because it may succeed and cannot
	// do the work twice. It is independent of the category. The zero value forbids a repeat.
	// WithRetryable and WithEffect set it to false if the call may have taken effect.
	Retryable bool
	// Code is a stable word for programs to branch on. Empty means none.
	Code Code
	// Message describes the failure for the model, the developer and the log. If empty, "The tool
	// failed." is sent.
	Message string
	// Hint says in the imperative what to do next. If empty, a default for the kind of failure is
	// sent, if there is one.
	Hint string
	// CustomerMessage is text that an agent may relay to the customer verbatim. If empty,
	// no text may be relayed verbatim.
	CustomerMessage string
	// RetryAfter is the minimum time to wait before the next attempt. Zero means unknown;
	// a negative value counts as zero, and more than a year as a year. It is sent in whole
	// milliseconds, rounded up, and only with Retryable or Partial.
	RetryAfter time.Duration
	// Field is the path of the argument at fault, such as address.city or items[].sku. Like Code
	// and CorrelationID, it is not sent if it contains a newline or a tab.
	Field string
	// Suggestions are near misses, best first. At most 20 are sent.
	Suggestions []string
	// Options are the choices for an ambiguous input, encodable as JSON: at most 20.
	Options []any
	// Effect is what the call changed. Empty means not stated; see [Effect].
	Effect Effect
	// IdempotencyKey is the key with which a repeat has no second effect. Empty means none.
	IdempotencyKey string
	// Alternatives are other tools or sources, or narrower queries, best first: at most 20.
	Alternatives []string
	// CorrelationID identifies the error in the log. If empty, result.Middleware creates one.
	CorrelationID string
	// Details are domain-specific members: any values that encode as JSON. Members that
	// cannot be encoded are left out.
	Details map[string]any
	// Attempted lists the attempts made before the failure was returned. A failure with attempts is
	// sent as not retryable, so that no outer layer retries it again. At most 20 are sent.
	Attempted []Attempt
	// Partial is the part of the work that was done. A failure with a partial result is
	// not retryable: the next step is a different call.
	Partial *Partial

	cause  error
	parent *Error // the original of this copy
	origin origin
	// temporary means that the identical call may succeed later, although Retryable is false, for
	// example because a repeat is not known to be safe.
	temporary bool
	retried   bool // the cause was retried already
}

// An origin records which properties [From] has set and the author has not changed: the kind
// (category, code and whether it is retryable), and the effect. Text means that [FromText] has read
// the kind from the message, and hint that a constructor has set the hint.
type origin struct{ kind, effect, text, hint bool }

// An Attempt is an operation that was tried once or more before a failure was returned. Elapsed is
// sent in whole milliseconds, rounded up.
type Attempt struct {
	Tool          string         // the tool that was called
	Arguments     map[string]any // its arguments; scalar ones are sent, with secrets masked
	Attempts      int            // the number of attempts; 0 means unknown
	Elapsed       time.Duration  // from the first attempt to the last answer; 0 means unknown
	Category      Category       // the last failure's category; may be empty
	Code          Code           // the last failure's code; may be empty
	Effect        Effect         // what the attempts changed; empty means not stated
	CorrelationID string         // identifies the last failure in the server's log; may be empty
}

// A Partial is the part of the work that was done before a failure. It is never cut to fit an
// envelope, because the results are data.
type Partial struct {
	// Processed is the number of finished items, 0 or more. With neither processed items nor results,
	// there is no partial result: the failure is sent, and retried, like one without it. Total is the number of requested items;
	// 0 means unknown. On 32-bit platforms, a count that an int cannot hold is read as 0.
	Processed, Total int
	// ContinueFrom is the argument with which the next call continues: a string or an integer. Nil
	// means that the work cannot be continued. An integer is decoded as a [json.Number].
	ContinueFrom any
	// Results are the results so far. Nil means none. JSON is left out if some clients cannot read
	// it: if it is invalid, nested deeper than 990, or has a number outside the range of a float64.
	Results json.RawMessage
}

// Error returns the message alone, because the MCP SDK shows it to the model.
// For a nil pointer it returns "<nil>".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return e.message()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// Is reports whether e was made from target by With methods or Resolve.
func (e *Error) Is(target error) bool {
	switch target { // sentinels of this module
	case classify.ErrGuessed:
		return e != nil && e.origin.kind
	case classify.ErrGuessedEffect:
		return e != nil && e.origin.effect
	}
	t, ok := target.(*Error)
	if !ok || t == nil || e == nil {
		return false
	}
	for p := e.parent; p != nil; p = p.parent {
		if p == t {
			return true
		}
	}
	return false
}

// LogValue implements [slog.LogValuer]. It returns a group of category, code, retryable, message,
// field, effect, correlation_id and cause, without empty members. The message and the cause are
// sanitized, cut at 2 KiB each, and their credentials masked: values beside the name of a secret,
// and values of a known form. Members that may hold arguments or credentials are left out (Options,
// Details, Attempted, Partial and IdempotencyKey).
func (e *Error) LogValue() slog.Value {
	if e == nil {
		return slog.StringValue("<nil>")
	}
	attrs := make([]slog.Attr, 0, 8)
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, sanitize.Text(value, sanitize.MaxLength)))
		}
	}
	add("category", string(e.Category))
	add("code", string(e.Code))
	attrs = append(attrs, slog.Bool("retryable", e.retryable()))
	add("message", logged(e.message()))
	add("field", e.Field)
	add("effect", string(e.Effect))
	add("correlation_id", e.CorrelationID)
	add("cause", logged(e.causes()))
	return slog.GroupValue(attrs...)
}

// logged returns a text for the log, with its credentials masked. It reads a little more than
// is logged, because a mask may be shorter than what it replaces.
func logged(text string) string { return redact.Mask(sanitize.Text(text, sanitize.MaxLength+512)) }

// Format implements [fmt.Formatter], also for a value: every verb formats the message alone.
func (e Error) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), e.message())
}

// MarshalText implements [encoding.TextMarshaler] with the message alone. JSON and log handlers
// use it for a value; a pointer has [Error.MarshalJSON] and [Error.LogValue].
func (e Error) MarshalText() ([]byte, error) { return []byte(e.message()), nil }

// causes returns the text of the cause. The text of an *Error is only its message, so the
// causes behind it are added.
func (e *Error) causes() string {
	const maxDepth = 8 // an error is wrapped once for each layer of a program
	var few [2]string  // enough for most errors
	texts := few[:0]
	cause := e.cause
	for range maxDepth {
		if cause == nil {
			break
		}
		if text := errorText(cause); text != e.message() && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		inner := find(cause)
		if inner == nil {
			break
		}
		cause = inner.cause
	}
	return strings.Join(texts, ": ")
}

// message returns the message that is sent, which is never empty.
func (e *Error) message() string {
	return cmp.Or(e.Message, "The tool failed.")
}

// errorText returns err.Error(), or a note if it panics.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "(the error's own Error method panicked)"
		}
	}()
	return err.Error()
}

// clone returns a deep copy of e, with e as its original.
func (e *Error) clone() *Error {
	c := *e
	c.Suggestions = cloneList(e.Suggestions)
	c.Options = cloneValue(e.Options).([]any) //nolint:errcheck // cloneValue keeps the type
	c.Alternatives = cloneList(e.Alternatives)
	c.Details = cloneValue(e.Details).(map[string]any) //nolint:errcheck // cloneValue keeps the type
	c.Attempted = cloneAttempts(e.Attempted)
	c.Partial = clonePartial(e.Partial)
	c.parent = e
	return &c
}
