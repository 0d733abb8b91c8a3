package failure

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A timeLimitError is the cause of a context that ended at the handler's time limit.
type timeLimitError struct{ after time.Duration }

func (*timeLimitError) Error() string {
	return "the tool took longer than its time limit: " + context.DeadlineExceeded.Error()
}

func (*timeLimitError) Unwrap() error { return context.DeadlineExceeded }

// WithTimeLimit returns a context whose end after the limit [Classifier.Collect] recognizes.
func WithTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &timeLimitError{limit})
}

// end returns a timeout or cancellation with a message that says what ended the call's context.
func end(ctx context.Context, e *toolerr.Error) *toolerr.Error {
	limit, _ := context.Cause(ctx).(*timeLimitError) //nolint:errorlint // the exact value; nil if it is another end
	isCanceled := e.Code == toolerr.CodeCanceled
	switch {
	case limit == nil && isCanceled:
		return e.WithMessage("The caller canceled the call.")
	case limit == nil, !isCanceled && e.Code != toolerr.CodeTimeout:
		return e
	case isCanceled: // as some libraries report any end of a context
		e = toolerr.From(limit)
	}
	return e.WithMessage(fmt.Sprintf("The tool did not finish within its time limit of %v.", limit.after))
}

// withoutEnd returns [context.Canceled] for an error that wraps the cause of the context's
// cancellation and no other error, unless an author has classified it. The SDK cancels the calls of
// a broken connection with the connection's error, and net/http returns that as the error of the
// tool's own request. It is not that request's failure, and may quote other messages of the client.
func (c *Classifier) withoutEnd(ctx context.Context, err error) error {
	end := context.Cause(ctx)
	hasEnd := ctx.Err() == context.Canceled && end != context.Canceled //nolint:errorlint // the values themselves
	if !hasEnd || !reflect.TypeOf(end).Comparable() {
		return err
	}
	isEnd, _ := classify.Find(err, func(err error) (isEnd, found bool) {
		_, isJoined := err.(interface{ Unwrap() []error })
		isEnd = err == end //nolint:errorlint // one link of the chain
		return isEnd, isEnd || isJoined
	})
	if !isEnd || c.ByAuthor(err) {
		return err
	}
	return context.Canceled
}
