package failure

import "github.com/mcp-toolerr/toolerr-go/toolerr"

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
