package toolerr

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// An Error is a failed tool call as an agent should see it: what kind of
// failure, whether the identical call may succeed if repeated, and what to do
// next. Its exported fields are what goes on the wire, so that everything in
// them is seen by the model; the cause, reachable through [Error.Unwrap], is
// not, and goes to the log alone.
//
// Make one with a constructor, or from any Go error with [From], and refine it
// with the With methods. Each returns a changed copy, lists and maps copied too
// (but for those of more than 4,096 parts, which no envelope has room for), so that a package-level value is a safe template:
//
//	var ErrFrozen = toolerr.Business("The account is frozen.").
//		WithCode("account_frozen").
//		WithCustomerMessage("Your account needs a check. A colleague will call you.")
//
// A copy matches the value it came from under [errors.Is]. An Error must not be
// changed after it was returned or shared; its methods are then safe for
// concurrent use. A nil *Error is no failure: a With method returns nil for it,
// UnmarshalJSON an error, the others do nothing.
//
// The zero value is a failure that nobody has judged: of no category, not
// retryable, with the message "The tool failed.".
type Error struct {
	// Category is what kind of failure this is. Unknown categories are kept.
	Category Category
	// Retryable says that the identical call may succeed if repeated. It is a
	// fact of its own and wins over what the category suggests. The zero value
	// forbids a repeat.
	Retryable bool
	// Code is what a program branches on. Empty means none.
	Code Code
	// Message is specific, and made for the model, the developer and the log. Where
	// it is empty, "The tool failed." takes its place.
	Message string
	// Hint says in the imperative what to do next. Where it is empty, a default
	// for the code or category goes on the wire.
	Hint string
	// CustomerMessage is safe wording that an agent may relay verbatim. Empty means
	// that there is none, and nothing else may be relayed so.
	CustomerMessage string
	// RetryAfter is the least time to wait before the next attempt. Zero means
	// that nothing is known; negative values count as zero, and those over a
	// year as a year. It goes on the wire in whole milliseconds, rounded up, and
	// only with Retryable or Partial.
	RetryAfter time.Duration
	// Field is the argument at fault as a path: address.city, items[].sku. Like Code and
	// CorrelationID it is left out on the wire if it has more than one line.
	Field string
	// Suggestions are near misses, best first; at most 20 go on the wire.
	Suggestions []string
	// Options are the choices where the input was ambiguous: anything that
	// encodes as JSON; at most 20 go on the wire.
	Options []any
	// Effect is what the call changed. Empty says nothing; see [Effect].
	Effect Effect
	// IdempotencyKey is passed back by the caller, so that a repeat is not done
	// twice. Empty means that the call had none.
	IdempotencyKey string
	// Alternatives are other tools, other sources or narrower queries, best first;
	// at most 20 go on the wire.
	Alternatives []string
	// CorrelationID finds the full error in the server's log. Where it is empty,
	// result.Middleware makes one.
	CorrelationID string
	// Details are the domain's own members: anything that encodes as JSON.
	// Members that cannot be encoded are left out.
	Details map[string]any
	// Attempted is what was tried before the failure was handed up. A failure
	// that carries it is not retryable on the wire, so that no outer layer retries it
	// again. At most 20 go on the wire.
	Attempted []Attempt
	// Partial is the part of the work that was done. A failure that carries it
	// is never retryable as it is: the next step is another call.
	Partial *Partial

	cause  error
	parent *Error // the value this one is a copy of
	origin origin
}

// An origin says what of a failure [From] has found, and its author has left so: its
// kind, which is category, code and whether it is retryable, and its effect.
type origin struct{ kind, effect, words bool }

// An Attempt is one operation that was tried, however often, before a failure
// was handed up. On the wire Elapsed is whole milliseconds, rounded up.
type Attempt struct {
	Tool      string         // the tool that was called
	Arguments map[string]any // its arguments, with secrets masked by whoever made this
	Attempts  int            // how often; 0 means unknown
	Elapsed   time.Duration  // from the first attempt to the last answer; 0 means unknown
	Category  Category       // of the last failure; may be empty
	Code      Code           // of the last failure; may be empty
}

// A Partial is the part of the work that was done before a failure. Nothing of it
// is cut to fit an envelope: the results are data.
type Partial struct {
	// Processed is how many items are done, from 0. Total is how many were asked
	// for; 0 means that nobody knows.
	Processed, Total int
	// ContinueFrom is what the next call has to be given to go on: a string or
	// an integer, whichever the tool's argument takes. Nil means that there is no
	// way to go on. An integer is decoded as a [json.Number].
	ContinueFrom any
	// Results are the results so far, as JSON. Anything else is left out; nil means
	// that there are none.
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

// Is reports whether target is the value that e was copied from by a With
// method, directly or over several copies.
func (e *Error) Is(target error) bool {
	switch target { // the very values, by which this module asks
	case classify.ErrGuessed:
		return e != nil && e.origin.kind
	case classify.ErrGuessedEffect:
		return e != nil && e.origin.effect
	case classify.ErrGuessedWords:
		return e != nil && e.origin.kind && e.origin.words
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

// LogValue implements [slog.LogValuer] with a group of category, code, retryable,
// message, field, effect, correlation_id and cause, without those that are empty.
// It leaves out what may hold arguments or act as a credential: Options, Details,
// Attempted, Partial and IdempotencyKey, and user, password and query of URLs in the cause.
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
	add("message", e.message())
	add("field", e.Field)
	add("effect", string(e.Effect))
	add("correlation_id", e.CorrelationID)
	add("cause", redact.URLs(e.causes()))
	return slog.GroupValue(attrs...)
}

// LogValueWithout is [Error.LogValue] without the values of a call's arguments, which
// errors quote, and without its idempotency key: [argument] stands in their place. Texts
// and numbers under four characters stay. Arguments that are no JSON are none.
func (e *Error) LogValueWithout(arguments json.RawMessage) slog.Value {
	if e == nil {
		return e.LogValue()
	}
	return redact.TextsOf(arguments, nil, e.IdempotencyKey).Attrs(e.LogValue().Group())
}

// causes is the text of the cause and, since an *Error in it shows its message
// alone, of the causes behind that.
func (e *Error) causes() string {
	const deepest = 8 // chosen: errors that an author has wrapped in each other, layer by layer
	var texts []string
	cause := e.cause
	for range deepest {
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

// retryable is what goes on the wire: a partial result is never repeated as it is,
// and what was retried already is not retried again by whoever it is handed up to.
func (e *Error) retryable() bool {
	return e.Retryable && e.Partial == nil && len(e.Attempted) == 0
}

// message never is empty, because the wire format always has one.
func (e *Error) message() string {
	if e.Message == "" {
		return "The tool failed."
	}
	return e.Message
}

// errorText is err.Error() for errors whose method may panic.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "(the error's own Error method panicked)"
		}
	}()
	return err.Error()
}

// clone copies e one level down, and remembers e as what it was copied from.
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
