package session

import (
	"fmt"
	"runtime/debug"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Await returns what a request returns. The SDK decodes an answer in the goroutine that
// awaits it, and panics on some. Such an answer is one that cannot be read, and the tool may
// have run.
func Await[T any](request func() (T, error)) (answer T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = toolerr.Transient("The server's answer could not be read.").WithCode(toolerr.CodeInternal).WithRetryable(false).
				WithEffect(toolerr.EffectUnknown).WithCause(fmt.Errorf("retry: a request panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	return request()
}
