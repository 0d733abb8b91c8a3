package failure

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A callContext is the context of a tool call. It holds what this module adds, in one allocation.
type callContext struct {
	context.Context

	classifier *Classifier
	session    mcp.Session
	claim      Claim
	isTyped    bool
}

type callKey struct{}

// Value implements [context.Context].
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// A Claim is the state of a call's idempotency key.
type Claim struct {
	ID, State string        // the store's
	Waited    time.Duration // for the store and the first call
}

// NewContext returns a context for a call on a session. C classifies the call's failures.
func NewContext(ctx context.Context, c *Classifier, session mcp.Session) context.Context {
	return &callContext{Context: ctx, classifier: c, session: session}
}

// of returns what this module adds to a call's context, or nil without middleware.
func of(ctx context.Context) *callContext {
	c, _ := ctx.Value(callKey{}).(*callContext)
	return c
}

// IsWithin reports whether a context belongs to a call on this session.
func IsWithin(ctx context.Context, session mcp.Session) bool {
	c := of(ctx)
	return c != nil && c.session == session
}

// FromContext returns the classifier of the call's middleware, or its argument if there is none.
func FromContext(ctx context.Context, none *Classifier) *Classifier {
	if c := of(ctx); c != nil {
		return c.classifier
	}
	return none
}

// ClaimOf returns the call's claim, for its handler to set, or a new one if there is no middleware.
func ClaimOf(ctx context.Context) *Claim {
	if c := of(ctx); c != nil {
		return &c.claim
	}
	return new(Claim)
}

// SetTyped notes that the SDK has validated the arguments of the call.
func SetTyped(ctx context.Context) {
	if c := of(ctx); c != nil {
		c.isTyped = true
	}
}

// IsTyped reports whether the SDK is known to have validated the arguments of the call.
func IsTyped(ctx context.Context) bool { return of(ctx).isTyped }

// Log returns the classifier's logger or, if it has none, the default one.
func (c *Classifier) Log() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }
