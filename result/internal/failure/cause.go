package failure

import (
	"fmt"
	"runtime/debug"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A FaultError is a cause found by the library itself. It needs no classification.
type FaultError string

// Error returns the cause's text.
func (f FaultError) Error() string { return string(f) }

// Causes of failures without an error, for the log.
const (
	ErrNilResult FaultError = "the handler returned neither a result nor an error"
	ErrEnvelope  FaultError = "the tool wrote the envelope itself"
	ErrBare      FaultError = "the tool reported a failure without an envelope"
)

// ErrNoError is the failure of a call whose error is nil. Do not change it.
var ErrNoError = toolerr.Transient("The tool reported a failure without an error.").
	WithCode(toolerr.CodeInternal).WithRetryable(false)

// A PanicError holds the value of a panic, for logs.
type PanicError struct {
	value any
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Recovered returns a PanicError for a value that recover returned. It must be called before the
// deferred function returns, so that the stack is the panic's.
func Recovered(value any) *PanicError { return &PanicError{value: value, Stack: debug.Stack()} }

// Error includes only errors, Stringers and scalars: formatting others may never end.
func (p *PanicError) Error() string {
	switch v := p.value.(type) {
	case error:
		return "panic: " + Text(v)
	case string, bool, int, int64, uint64, float64, fmt.Stringer:
		return fmt.Sprintf("panic: %v", v)
	}
	return fmt.Sprintf("panic: a %T", p.value)
}
