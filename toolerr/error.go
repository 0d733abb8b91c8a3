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

// An Error tells an agent about a failed tool call. The exported fields are sent, and the model sees
// all of them: text without control characters (but newlines and tabs), terminal escapes, bidi controls
// and hidden characters; strings of at most 2 KiB, lists of 20 items, and 8 KiB without Partial. Prose
// is cut, identifiers are sent whole or left out, and Details go first.
//
// Create an Error with a constructor or [From], and refine it with the With methods. These return copies,
// also of the lists and maps in the fields, of up to 4,096 items, but share what is nested in those. A package-level
// value is therefore a safe template, which its copies match under [errors.Is]. Do not change an Error, or what is
// nested in it, after it is returned or shared; its methods are then safe for concurrent use. A nil *Error is no
// failure: its text is "<nil>", its JSON null, Resolve and the With methods return nil, and UnmarshalJSON fails. The
// zero value is an unclassified failure.
type Error struct { //nolint:recvcheck // a nil pointer has methods too, and a value must not print its fields
	Category        Category // the kind of failure; unknown ones are kept
	Retryable       bool     // the identical call may succeed, and cannot do the work twice; zero forbids a repeat
	Code            Code     // for programs to branch on; empty means none
	Message         string   // for the model, the developer and the log; if empty, "The tool failed." is sent
	Hint            string   // what to do next, in the imperative; if empty, the kind's default is sent, if any
	CustomerMessage string   // text to relay to the customer verbatim; empty means none
	// RetryAfter is the minimum time to wait: 0, or less, means unknown, and more than a year a year. It
	// is sent in whole milliseconds, rounded up, and only with Retryable or Partial.
	RetryAfter     time.Duration
	Field          string         // the path of the argument at fault: address.city, items[].sku; one line
	Suggestions    []string       // near misses, best first: of the value, or of Field if the tool has no such argument
	Options        []any          // the choices for an ambiguous input; any values that encode as JSON
	Effect         Effect         // what the call changed; empty means not stated
	IdempotencyKey string         // the key with which a repeat has no second effect; empty means none
	Alternatives   []string       // other tools or sources, or narrower queries, best first
	CorrelationID  string         // identifies the error in the log; if empty, result.Middleware creates one
	Details        map[string]any // domain-specific members; those that do not encode as JSON are left out
	Attempted      []Attempt      // the attempts made; if any, the failure is sent as not retryable
	Partial        *Partial       // the part of the work that was done; then the failure is not retryable

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
// the kind from the message, words that the author has not changed its flag, and hint that a constructor has
// set the hint.
type origin struct{ kind, effect, text, words, hint bool }

// An Attempt is what was tried, once or more, before a failure was returned.
type Attempt struct {
	Tool          string         // the tool that was called
	Arguments     map[string]any // its arguments; scalar ones are sent, with secrets masked
	Attempts      int            // the number of attempts; 0 means unknown
	Elapsed       time.Duration  // to the last answer, sent in milliseconds, rounded up; 0 means unknown
	Category      Category       // the last failure's category; may be empty
	Code          Code           // the last failure's code; may be empty
	Effect        Effect         // what the attempts changed; empty means not stated
	CorrelationID string         // identifies the last failure in the server's log; may be empty
}

// A Partial is the work that was done before a failure. It is never cut.
type Partial struct {
	Processed    int // the number of finished items; decoded as at most 1<<53, or 0 if an int cannot hold it
	Total        int // the number of requested items; 0 means unknown
	ContinueFrom any // the argument of the next call: a string or an integer (decoded as json.Number); nil means none
	// Results are the results so far; nil means none. Left out is what some clients cannot read:
	// invalid JSON, nesting deeper than 990, and numbers outside the range of a float64.
	Results json.RawMessage
}

// Error returns the message alone, because the MCP SDK shows it to the model.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return e.message()
}

// Unwrap returns the cause, or nil. A server sends of it what Reveal selects.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// Is reports whether e was made from target by With methods or Resolve.
func (e *Error) Is(target error) bool {
	if e == nil {
		return false
	}
	switch target { // sentinels of this module
	case classify.ErrGuessed:
		return e.origin.kind
	case classify.ErrGuessedEffect:
		return e.origin.effect
	case classify.ErrText:
		return e.origin.words
	}
	p := e.parent
	for p != nil && target != p {
		p = p.parent
	}
	return p != nil
}

// LogValue implements [slog.LogValuer] with category, code, retryable, message, field, effect,
// correlation_id and cause. Text is sanitized and cut at 2 KiB, and its credentials are masked.
func (e *Error) LogValue() slog.Value {
	if e == nil {
		return slog.StringValue("<nil>")
	}
	plain := func(key, value string) slog.Attr { return slog.String(key, sanitize.Text(value, sanitize.MaxLength)) }
	return slog.GroupValue(slices.DeleteFunc([]slog.Attr{
		plain("category", string(e.Category)), plain("code", string(e.Code)), slog.Bool("retryable", e.retryable()),
		slog.String("message", logged(e.message())), plain("field", e.Field), plain("effect", string(e.Effect)),
		plain("correlation_id", e.CorrelationID), slog.String("cause", logged(e.causes())),
	}, func(a slog.Attr) bool { return a.Value.Equal(slog.StringValue("")) })...)
}

// logged returns a text for the log, with its credentials masked. It reads a little more than
// is logged, because a mask may be shorter than what it replaces.
func logged(text string) string {
	return sanitize.Text(redact.Mask(sanitize.Text(text, sanitize.MaxLength+512)), sanitize.MaxLength)
}

// Format implements [fmt.Formatter] with the message alone, for all verbs.
func (e Error) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), e.message())
}

// MarshalText implements [encoding.TextMarshaler] with the message alone, for an Error by value.
func (e Error) MarshalText() ([]byte, error) { return []byte(e.message()), nil }

// causes returns the text of the cause. The text of an *Error is only its message, so the
// causes behind it are added.
func (e *Error) causes() string {
	const maxDepth = 8 // an error is wrapped once for each layer of a program
	var texts []string
	for inner, depth := e, 0; depth < maxDepth && inner != nil && inner.cause != nil; depth++ {
		if text := errorText(inner.cause); text != e.message() && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		inner = find(inner.cause)
	}
	return strings.Join(texts, ": ")
}

func (e *Error) message() string { return cmp.Or(e.Message, noMessage) }

const noMessage = "The tool failed."

func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "(the error's own Error method panicked)"
		}
	}()
	return err.Error()
}
