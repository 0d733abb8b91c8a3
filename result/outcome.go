package result

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Kind is the kind of a tool call's outcome. The zero value means that the outcome was not read.
type Kind int

// The kinds of outcomes.
const (
	KindData          Kind = iota + 1 // a success with data
	KindEmpty                         // a success that found nothing, which is a definite result
	KindPartial                       // a failure with the results of the work that was done
	KindFailure                       // the call failed
	KindInputRequired                 // the client must answer a question to complete the call
)

var kinds = [...]string{"none", "data", "empty", "partial", "failure", "input_required"}

// String returns data, empty, partial, failure, input_required or, for anything else, none.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return kinds[0]
	}
	return kinds[k]
}

// MarshalText returns the result of String. The error is always nil.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the words that MarshalText writes. It returns an error for any other text.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kinds[:], string(text))
	if i < 0 {
		return fmt.Errorf("result: %q is no kind of an outcome: use one of %s", text, strings.Join(kinds[:], ", "))
	}
	*k = Kind(i)
	return nil
}

// An Outcome is the outcome of a tool call, as read by [Parse].
type Outcome struct {
	// Kind says whether the outcome is data, empty, partial, a failure or a question.
	Kind Kind
	// Err is the failure if Kind is KindFailure or KindPartial, otherwise nil. Its cause is the
	// protocol or transport error, if any, for [errors.As].
	Err *toolerr.Error
	// Result is the server's result. It is nil after a protocol or transport error.
	Result *mcp.CallToolResult
	// Status is the HTTP status with which the server's endpoint, or a proxy before it, refused the
	// request, or 0. Such a refusal is not the tool's answer; after a restart it may mean that the
	// server no longer knows the session.
	Status int
	// SessionLost means that every further call on the session fails; a new one is needed.
	SessionLost bool

	envelope bool           // Err is the server's own envelope
	read     *toolerr.Error // Err as it was read from Result, or nil
}

// AsError returns Err as an error, or a nil interface if the call succeeded or asks for
// input. The zero Outcome is a failure.
func (o Outcome) AsError() error {
	switch o.Kind {
	case KindData, KindEmpty, KindInputRequired:
		return nil
	case KindPartial, KindFailure:
		return cmp.Or(o.Err, errUnread)
	}
	return errUnread
}

var errUnread = toolerr.Transient("The call has no readable outcome.").WithCode(toolerr.CodeInternal).
	WithRetryable(false)

// Text returns the text for the model, which is never empty: the envelope of a failure and the
// texts that follow it, or the texts of a success and its structured content, joined by newlines,
// unless a text repeats that or it is an empty result. The texts are also those of embedded resources,
// and the addresses of links. In the text, but not in [Outcome.Err], a failure
// whose effect is unknown is not retryable, unless the server's own envelope says that it is.
func (o Outcome) Text() string {
	if o.AsError() != nil {
		return foreign.Shown(o.CallToolResult())
	}
	text := ""
	if o.Result != nil && o.Kind != KindInputRequired {
		text = foreign.Shown(o.Result)
		if data := foreign.Beside(o.Result); data != "" && (text == "" || o.Kind != KindEmpty) {
			text = strings.TrimPrefix(text+"\n"+data, "\n")
		}
	}
	return cmp.Or(text, withoutText[o.Kind])
}

// withoutText has the texts of successes without one, and of questions.
var withoutText = map[Kind]string{
	KindData: "The call succeeded; its answer has no text.", KindEmpty: nothingFound,
	KindInputRequired: "The tool needs more input before it can answer.",
}

// CallToolResult returns the outcome as a tool's result, never nil, for programs that use the SDK's
// types. For a success it is the server's. A failure is a new one: the envelope as in [Outcome.Text],
// with all members that the server sent, and then each of its blocks that is not whole in it.
func (o Outcome) CallToolResult() *mcp.CallToolResult {
	if o.AsError() == nil {
		if o.Result == nil {
			return failure.TextResult(o.Text())
		}
		return o.Result
	}
	e, said := cmp.Or(o.Err, errUnread), cmp.Or(o.read, errUnread)
	if e.Retryable && e.Effect == toolerr.EffectUnknown && !o.envelope {
		// for hosts that only read the flag; a wait is then a detail
		e, said = e.WithRetryable(false), said.WithRetryable(false)
	}
	res := failure.TextResult("")
	res.IsError = true
	if o.read != nil && o.Result != nil {
		read, content := failure.Content(said, o.Result)
		if details := maps.Clone(read.Details); len(details) > len(o.read.Details) { // what the envelope has no member for
			maps.Copy(details, e.Details)
			e = e.WithDetails(details)
		}
		res.Content = content
		if o.Result.IsError {
			res.Meta = o.Result.Meta
		}
	}
	res.Content[0] = &mcp.TextContent{Text: string(e.AppendJSON(nil))}
	return res
}

// LogValue implements [slog.LogValuer]. It returns a group of kind, session_lost (if true) and, for
// a failure, category, code, retryable, effect and correlation_id, without empty members. The
// server's own words are not logged: unknown ones become "other", and a correlation id is logged only
// in this module's format of 18 digits.
func (o Outcome) LogValue() slog.Value {
	attrs := append(make([]slog.Attr, 0, 7), slog.String("kind", o.Kind.String()))
	if o.SessionLost {
		attrs = append(attrs, slog.Bool("session_lost", true))
	}
	word := func(key, value string, known bool) {
		if value != "" && !known {
			value = "other"
		}
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	if e := o.Err; e != nil {
		word("category", string(e.Category), slices.Contains(class.Categories, string(e.Category)))
		word("code", string(e.Code), hint.Code(string(e.Code)) != "")
		attrs = append(attrs, slog.Bool("retryable", toolerr.IsRetryable(e)))
		word("effect", string(e.Effect), e.Effect == toolerr.EffectUnknown || !effect.IsUnknown(e.Effect))
		if correlation.IsID(e.CorrelationID) {
			word("correlation_id", e.CorrelationID, true)
		}
	}
	return slog.GroupValue(attrs...)
}
