package failure

import (
	"fmt"
	"runtime/debug"
)

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
