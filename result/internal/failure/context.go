package failure

import (
	"context"
	"log/slog"
)

type classifierKey struct{}

// NewContext returns a context for calls whose failures c classifies.
func NewContext(ctx context.Context, c *Classifier) context.Context {
	return context.WithValue(ctx, classifierKey{}, c)
}

// FromContext returns the classifier of the call's middleware, or a zero Classifier.
func FromContext(ctx context.Context) *Classifier {
	if c, ok := ctx.Value(classifierKey{}).(*Classifier); ok {
		return c
	}
	return new(Classifier)
}

// HasMiddleware reports whether the context is that of a call below the middleware.
func HasMiddleware(ctx context.Context) bool {
	_, ok := ctx.Value(classifierKey{}).(*Classifier)
	return ok
}

// Log returns the classifier's logger, which is never nil.
func (c *Classifier) Log() *slog.Logger {
	if c.Logger == nil {
		return slog.Default()
	}
	return c.Logger
}
