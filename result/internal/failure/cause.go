package failure

import (
	"errors"

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
