package toolerr

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// An Error is a failed tool call as an agent should see it: what kind of
// failure, whether the identical call may succeed if repeated, and what to do
// next. Its exported fields are what goes on the wire, so that everything in
// them is seen by the model; the cause, reachable through [Error.Unwrap], is
// not, and goes to the log alone.
//
// Make one with [Transient], [Validation], [Business] or [Permission], or from
// any Go error with [From], and refine it with the With methods. Each returns a
// changed copy, so that a package-level value is a safe template:
//
//	var ErrOverLimit = toolerr.Business("The refund exceeds the limit for automatic approval.").
//		WithCode(toolerr.CodeLimitExceeded).
//		WithCustomerMessage("This refund needs a colleague's approval.")
//
// A copy matches the value it came from under [errors.Is]. An Error must not be
// changed after it was returned or shared; the methods and With copies are then
// safe for concurrent use. A nil *Error is no failure: its methods do nothing.
type Error struct {
	// Category is what kind of failure this is. Unknown categories are kept.
	Category Category
	// Retryable says that the identical call may succeed if repeated. It is a
	// fact of its own and wins over what the category suggests. The zero value
	// forbids a repeat.
	Retryable bool
	// Code is what a program branches on. Empty means none.
	Code Code
	// Message is specific, and made for the model, the developer and the log.
	Message string
	// Hint says in the imperative what to do next. Where it is empty, a default
	// for the code or category goes on the wire.
	Hint string
	// CustomerMessage is safe wording that an agent may relay verbatim.
	CustomerMessage string
	// RetryAfter is the least time to wait before the next attempt. Zero means
	// that nothing is known; negative values count as zero, and those over a
	// year as a year. It goes on the wire in whole milliseconds, rounded up, and
	// only with Retryable or Partial.
	RetryAfter time.Duration
	// Field is the argument at fault as a path: address.city, items[].sku.
	Field string
	// Suggestions are near misses, best first.
	Suggestions []string
	// Options are the choices where the input was ambiguous: anything that
	// encodes as JSON.
	Options []any
	// Effect is what the call changed. Empty says nothing; see [Effect].
	Effect Effect
	// IdempotencyKey is passed back by the caller, so that a repeat is not done
	// twice.
	IdempotencyKey string
	// Alternatives are other tools, other sources or narrower queries.
	Alternatives []string
	// CorrelationID finds the full error in the server's log.
	CorrelationID string
	// Details are the domain's own members: anything that encodes as JSON.
	// Members that cannot be encoded are left out.
	Details map[string]any
	// Attempted is what was tried before the failure was handed up. A failure
	// that carries it is not retried again by an outer layer.
	Attempted []Attempt
	// Partial is the part of the work that was done. A failure that carries it
	// is never retryable as it is: the next step is another call.
	Partial *Partial

	cause  error
	parent *Error // the value this one is a copy of
}

// An Attempt is one operation that was tried, however often, before a failure
// was handed up.
type Attempt struct {
	Tool      string         // the tool that was called
	Arguments map[string]any // its arguments, with secrets masked
	Attempts  int            // how often; 0 means unknown
	Elapsed   time.Duration  // from the first attempt to the last answer
	Category  Category       // of the last failure
	Code      Code           // of the last failure
}

// Partial is the part of the work that was done.
type Partial struct {
	// Processed is how many items are done, Total how many were asked for; a
	// Total of 0 means that nobody knows.
	Processed, Total int
	// ContinueFrom is what the next call has to be given to go on: a string or
	// an integer, whichever the tool's argument takes. Nil means that there is no
	// way to go on. An integer is decoded as a [json.Number].
	ContinueFrom any
	// Results are the results so far, as JSON. Anything else is left out.
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

// LogValue implements [slog.LogValuer]. It holds the cause, and leaves out what
// may hold arguments or act as a credential: Options, Details, Attempted,
// Partial and IdempotencyKey.
func (e *Error) LogValue() slog.Value {
	if e == nil {
		return slog.StringValue("<nil>")
	}
	attrs := make([]slog.Attr, 0, 8)
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, cleanText(value, maxString)))
		}
	}
	add("category", string(e.Category))
	add("code", string(e.Code))
	attrs = append(attrs, slog.Bool("retryable", e.retryable()))
	add("message", e.message())
	add("field", e.Field)
	add("effect", string(e.Effect))
	add("correlation_id", e.CorrelationID)
	add("cause", redactURLs(e.causes()))
	return slog.GroupValue(attrs...)
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
		inner, ok := find(cause)
		if !ok || inner == nil {
			break
		}
		cause = inner.cause
	}
	return strings.Join(texts, ": ")
}

// retryable is what goes on the wire: a partial result is never repeated as it
// is.
func (e *Error) retryable() bool { return e.Retryable && e.Partial == nil }

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
	c.Suggestions = slices.Clone(e.Suggestions)
	c.Options = cloneValue(e.Options).([]any) //nolint:errcheck // cloneValue keeps the type
	c.Alternatives = slices.Clone(e.Alternatives)
	c.Details = cloneValue(e.Details).(map[string]any) //nolint:errcheck // cloneValue keeps the type
	c.Attempted = cloneAttempts(e.Attempted)
	c.Partial = clonePartial(e.Partial)
	c.parent = e
	return &c
}
