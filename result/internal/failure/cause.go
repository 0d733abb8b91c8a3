package failure

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Causes of failures without an error, for the log.
var (
	ErrNilResult = errors.New("the handler returned neither a result nor an error")
	ErrEnvelope  = errors.New("the tool wrote the envelope itself")
	ErrBareText  = errors.New("the tool reported a failure as bare text")
)

// ErrNoError is the failure of a call whose error is nil. Do not change it.
var ErrNoError = toolerr.Transient("The tool reported a failure without an error.").
	WithCode(toolerr.CodeInternal).WithRetryable(false)

// A PanicError has the value of a handler's panic, for the log.
type PanicError struct {
	value any
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Recovered returns a PanicError for a value of recover. The deferred function must call it
// directly, so that the stack is that of the panic.
func Recovered(value any) *PanicError {
	return &PanicError{value: value, Stack: debug.Stack()}
}

// Error includes the value only if its type has a text. The text of other types may be
// endless.
func (p *PanicError) Error() string {
	switch v := p.value.(type) {
	case error:
		return "panic: " + Text(v)
	case string, bool, int, int64, uint64, float64, fmt.Stringer:
		return fmt.Sprintf("panic: %v", v)
	}
	return fmt.Sprintf("panic: a %T", p.value)
}

// Text returns err.Error(), or "" if it panics.
func Text(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return err.Error()
}

// A timeLimitError is the cause of a context that ended at the handler's time limit.
type timeLimitError struct{ after time.Duration }

func (*timeLimitError) Error() string {
	return "the tool took longer than its time limit: " + context.DeadlineExceeded.Error()
}

func (*timeLimitError) Unwrap() error { return context.DeadlineExceeded }

// WithTimeLimit returns a context that ends after a handler's time limit.
// [Classifier.Describe] distinguishes this end from others.
func WithTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &timeLimitError{limit})
}

// timeLimitOf returns the time limit that ended a handler's context, or nil.
func timeLimitOf(ctx context.Context) *timeLimitError {
	if ctx.Err() == nil {
		return nil
	}
	limit, _ := context.Cause(ctx).(*timeLimitError) //nolint:errorlint // the exact value
	return limit
}

// withoutEnd returns [context.Canceled] for an error that wraps the cause of the context's
// cancellation and no other error, unless an author has classified it. The SDK cancels the
// calls of a broken connection with the connection's error, and net/http returns that as the
// error of the tool's own request. It is no failure of that request, and it may quote other
// messages of the client.
func (c *Classifier) withoutEnd(ctx context.Context, err error) error {
	end := context.Cause(ctx)
	if ctx.Err() != context.Canceled || end == context.Canceled || !reflect.TypeOf(end).Comparable() { //nolint:errorlint // contexts return the value itself
		return err
	}
	isEnd, _ := classify.Find(err, func(err error) (isEnd, found bool) {
		if err == end { //nolint:errorlint // one link of the chain
			return true, true
		}
		_, isJoined := err.(interface{ Unwrap() []error })
		return false, isJoined
	})
	if !isEnd || c.ByAuthor(err) {
		return err
	}
	return context.Canceled
}
