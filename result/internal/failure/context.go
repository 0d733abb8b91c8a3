package failure

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Call is the context of a tool call. It holds what this module adds, in one allocation.
type Call struct {
	context.Context // nil if there is no middleware

	Classifier *Classifier // the middleware's, to be copied, or one without settings
	Session    mcp.Session
	Claim      Claim
}

// A Claim is the state of a call's idempotency key.
type Claim struct {
	ID, State string        // the store's
	Waited    time.Duration // for the store and the first call
	IsSent    bool          // the client sent the key, so that the identical call is not executed twice
}

type callKey struct{}

// Value implements [context.Context].
func (c *Call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// CallOf returns the call that a context belongs to, or a new one without context
// if there is no middleware.
func CallOf(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{Classifier: &unset}
}

var unset Classifier

// Log returns the classifier's logger or, if it has none, the default one.
func (c *Classifier) Log() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }
