package failure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"runtime/debug"
	"slices"
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

// Text returns err.Error(), or "" if it panics. The text of a join that has grown in a loop
// takes linear time.
func Text(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	if reflect.TypeOf(err) != joinType {
		return err.Error()
	}
	return string(appendText(nil, err, 0))
}

// appendText appends the text of an error, and of a join branch by branch.
func appendText(dst []byte, err error, depth int) []byte {
	const maxDepth = 10_000 // as package classify
	join, ok := err.(interface{ Unwrap() []error })
	if !ok || reflect.TypeOf(err) != joinType || depth > maxDepth {
		return append(dst, err.Error()...)
	}
	for i, branch := range join.Unwrap() {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = appendText(dst, branch, depth+1)
	}
	return dst
}

var (
	joinType = reflect.TypeOf(errors.Join(fs.ErrInvalid))
	// constantTypes are types of errors whose text is set once.
	constantTypes = [...]reflect.Type{
		reflect.TypeOf(errors.New("")),
		reflect.TypeOf(fmt.Errorf("%d", 0)), //nolint:err113,forbidigo,perfsprint // for its type
		reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid)),
		reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid)),
		reflect.TypeFor[*toolerr.Error](),
	}
)

// isConstant reports whether the text of an error, or of all branches of a join, is set once.
func isConstant(err error) bool {
	if join, ok := err.(interface{ Unwrap() []error }); ok && reflect.TypeOf(err) == joinType {
		return !slices.ContainsFunc(join.Unwrap(), func(err error) bool { return !isConstant(err) })
	}
	return slices.Contains(constantTypes[:], reflect.TypeOf(err))
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
