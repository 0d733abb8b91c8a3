package failure

import (
	"cmp"
	"context"
	"log/slog"
)

type classifierKey struct{}

// NewContext returns a context for calls whose failures c classifies.
func NewContext(ctx context.Context, c *Classifier) context.Context {
	return context.WithValue(ctx, classifierKey{}, c)
}

// FromContext returns the classifier of the call's middleware, or otherwise none.
func FromContext(ctx context.Context, none *Classifier) *Classifier {
	if c, ok := ctx.Value(classifierKey{}).(*Classifier); ok {
		return c
	}
	return none
}

// Log returns the classifier's logger, which is never nil.
func (c *Classifier) Log() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }
