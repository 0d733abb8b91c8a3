package result

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Kind says what a tool call came back with. The zero Kind is none of them:
// an Outcome that was not read.
type Kind int

const (
	// KindData is a success with data.
	KindData Kind = iota + 1
	// KindEmpty is a success that found nothing: a definite answer.
	KindEmpty
	// KindPartial is a failure that carries the part of the work that was done.
	KindPartial
	// KindFailure is a failure.
	KindFailure
	// KindInputRequired asks the client for input before the call can complete.
	KindInputRequired
)

var kinds = [...]string{"none", "data", "empty", "partial", "failure", "input_required"}

// String returns data, empty, partial, failure, input_required or, for anything
// else, none.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return kinds[0]
	}
	return kinds[k]
}

// MarshalText returns String, so that a Kind is a word in JSON and in logs. Its error is
// always nil.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// An Outcome is what a tool call came back with, read by [Parse].
type Outcome struct {
	// Kind tells data, nothing, part of the data and failure apart.
	Kind Kind
	// Err is the failure of a KindFailure or KindPartial, else nil. A protocol or
	// transport error is its cause, for [errors.As].
	Err *toolerr.Error
	// Result is what the server sent. It is nil if no result came: after a
	// protocol or transport error.
	Result *mcp.CallToolResult
	// SessionLost says that the session is gone: every further call on it fails,
	// and a new session is needed.
	SessionLost bool

	envelope bool // the result held Err as an envelope
}

// AsError returns Err as an error, or a nil interface if the call succeeded
// or asks for input. An Outcome of no kind is a failure.
func (o Outcome) AsError() error {
	switch o.Kind {
	case KindData, KindEmpty, KindInputRequired:
		return nil
	case KindPartial, KindFailure:
		if o.Err != nil {
			return o.Err
		}
	}
	return errUnread
}

var errUnread = toolerr.Transient("The call has no readable outcome.").
	WithCode(toolerr.CodeInternal).WithRetryable(false)

// Text returns what the model should read: the envelope of a failure and the texts that
// follow it, the texts of a success, one to a line. It is never empty. A failure that may have taken effect
// says so and is not retryable in it, unless the server's own envelope says that it is:
// [Outcome.Err] has what was read.
func (o Outcome) Text() string {
	if o.AsError() != nil {
		return o.failureText()
	}
	if o.Kind == KindInputRequired {
		return "The tool needs more input before it can answer."
	}
	var texts []string
	if o.Result != nil {
		for _, c := range o.Result.Content {
			if t, ok := c.(*mcp.TextContent); ok && t.Text != "" {
				texts = append(texts, t.Text)
			}
		}
		if len(texts) == 0 && o.Result.StructuredContent != nil {
			if raw, err := jsonvalue.Marshal(o.Result.StructuredContent); err == nil {
				texts = append(texts, string(raw))
			}
		}
	}
	switch {
	case len(texts) > 0:
		return strings.Join(texts, "\n")
	case o.Kind == KindEmpty:
		return nothingFound
	}
	return "The call succeeded; its answer has no text."
}

func (o Outcome) failureText() string {
	e := o.Err
	if e == nil {
		e = errUnread
	}
	if e.Retryable && e.Effect == toolerr.EffectUnknown && !o.envelope {
		e = e.WithRetryable(false) // for a host that reads the flag alone
	}
	text := string(e.AppendJSON(nil))
	if o.Result == nil || !o.Result.IsError {
		return text
	}
	return strings.Join(append([]string{text}, foreign.Further(o.Result)...), "\n")
}
