package failure

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Causes of failures that come without an error, for the log.
var (
	ErrNilResult = errors.New("the handler returned neither a result nor an error")
	ErrEnvelope  = errors.New("the tool wrote the envelope itself")
	ErrBareText  = errors.New("the tool reported a failure as bare text")
)

// ErrNoError is the failure of a call whose error is nil. It must not be changed.
var ErrNoError = toolerr.Transient("The tool reported a failure without an error.").
	WithCode(toolerr.CodeInternal).WithRetryable(false)

// A PanicError is what a handler panicked with, for the log.
type PanicError struct {
	value any
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Recovered returns a PanicError with a value that recover has returned. It has to be
// called by the deferred function itself, for the stack.
func Recovered(value any) *PanicError {
	return &PanicError{value: value, Stack: debug.Stack()}
}

// Error shows values that are made to be shown. Others may have no end.
func (p *PanicError) Error() string {
	switch v := p.value.(type) {
	case error:
		return "panic: " + Text(v)
	case string, bool, int, int64, uint64, float64, fmt.Stringer:
		return fmt.Sprintf("panic: %v", v)
	}
	return fmt.Sprintf("panic: a %T", p.value)
}

// Text is err.Error(), or "" when that panics.
func Text(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return err.Error()
}

// A timeLimitError is why the context of a handler ended that took too long.
type timeLimitError struct{ after time.Duration }

func (*timeLimitError) Error() string {
	return "the tool took longer than its time limit: " + context.DeadlineExceeded.Error()
}

func (*timeLimitError) Unwrap() error { return context.DeadlineExceeded }

// WithTimeLimit returns a context that ends after a handler's time limit, such that
// [Classifier.Describe] tells this end from any other.
func WithTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &timeLimitError{limit})
}

// timeLimitOf returns the time limit that has ended a handler's context, or nil.
func timeLimitOf(ctx context.Context) *timeLimitError {
	if ctx.Err() == nil {
		return nil
	}
	limit, _ := context.Cause(ctx).(*timeLimitError) //nolint:errorlint // the very value
	return limit
}
