package retry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Error is the final Go error of [Do], [Middleware] or [Client.AsSession]. [errors.As] and
// [toolerr.From] also find the last tool error, with the attempts. Do not change it; its methods
// are safe for concurrent use.
type Error struct {
	Err      error    // the last error, in [Do] unchanged
	Decision Decision // the last one

	tool *toolerr.Error // nil if this package did not create the Error
	ctx  error          // of a context that has ended
}

// Error returns the number of attempts and the last error as text. The reason is in Decision: readers of prose would
// take its words for codes.
func (e *Error) Error() string {
	if e == nil || e.Err == nil {
		return "gave up"
	}
	return fmt.Sprintf("gave up after attempt %d: %v", e.Decision.Attempt, e.Err)
}

// LogValue returns a group: action, reason, attempt, the last error's text with credentials masked,
// and the members of the tool error.
func (e *Error) LogValue() slog.Value {
	if e == nil || e.Err == nil {
		return slog.StringValue("gave up")
	}
	attrs := []slog.Attr{
		slog.String("action", e.Decision.Action.String()), slog.String("reason", string(e.Decision.Reason)),
		slog.Int("attempt", e.Decision.Attempt),
		slog.String("error", redact.Mask(sanitize.Text(fmt.Sprint(e.Err), sanitize.MaxLength))),
	}
	if e.tool != nil {
		attrs = append(attrs, slices.DeleteFunc(e.tool.LogValue().Group(), func(a slog.Attr) bool {
			return a.Key == "message" || a.Key == "cause" && a.Value.String() == attrs[len(attrs)-1].Value.String()
		})...)
	}
	return slog.GroupValue(attrs...)
}

// Unwrap returns the last error and, if the context ended, its error and cause.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return slices.DeleteFunc([]error{e.Err, e.ctx}, func(err error) bool { return err == nil })
}

// As finds the last tool error, with the attempts made.
func (e *Error) As(target any) bool {
	t, ok := target.(**toolerr.Error)
	if !ok || e == nil || e.tool == nil {
		return false
	}
	*t = e.tool
	return true
}

// contextError returns the error of a context that has ended, with its cause, or nil.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(err, cause) { // often the same
		return err
	}
	return errors.Join(err, cause)
}
