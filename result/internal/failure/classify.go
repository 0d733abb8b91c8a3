// Package failure reads the failure of a tool call from an error or a failed result. It returns the
// envelope for the wire and the cause for the log. Packages result and idempotency both use it, so
// that they classify alike.
package failure

import (
	"cmp"
	"log/slog"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Classifier classifies failures as a server's author has configured. Rules, Reveal and Logger
// are documented in result.MiddlewareOptions. Tool and Arguments are the call's. The zero
// value is ready to use. A Classifier is copied for each call.
type Classifier struct {
	Rules  []toolerr.Rule
	Reveal func(error) bool
	Logger *slog.Logger
	Tool   *toolinfo.Tool // nil if it is not known
	// Arguments are the call's arguments. They help decide whose fault an error is.
	Arguments evidence.Arguments
}

// OrInternal returns e or, if its author set neither a category nor a code nor a message, a copy
// classified as an unexpected error.
func OrInternal(e *toolerr.Error) *toolerr.Error {
	if e.Category == "" && e.Code == "" && e.Message == "" {
		c, unexpected := *e, toolerr.Internal(nil)
		c.Category, c.Code, c.Message, c.Effect = unexpected.Category, unexpected.Code, unexpected.Message,
			cmp.Or(c.Effect, unexpected.Effect)
		return &c
	}
	return e
}

// byRule returns the result of the first of the author's rules that matches err, completed from the
// author's *toolerr.Error inside err. An effect that From has guessed does not count: the rule knows more.
func (c *Classifier) byRule(err error) (e *toolerr.Error, ok bool) {
	if !slices.ContainsFunc(c.Rules, func(rule toolerr.Rule) bool { e, ok = rule(err); return ok }) {
		return nil, false
	}
	own := toolErrorIn(err)
	if e == nil || own == nil {
		return e, true
	}
	worst := effect.Worst(e.Effect, own.Effect)
	if own.Effect != "" && worst != e.Effect && !own.Is(classify.ErrGuessedEffect) {
		e = e.WithEffect(worst)
	}
	e = e.WithField(cmp.Or(e.Field, own.Field))
	if e.Hint == "" {
		e = e.WithHint(own.Hint)
	}
	if own.Partial != nil && e.Partial == nil {
		e = e.WithPartial(own.Partial)
	}
	return e, true
}

// ByAuthor reports whether an author classified a cause: with an envelope, a rule or a
// *[toolerr.Error], even one made with [toolerr.From].
func (c *Classifier) ByAuthor(cause error) bool {
	_, ok := c.byRule(cause)
	return ok || cause == ErrEnvelope || toolErrorIn(cause) != nil //nolint:errorlint // the very value
}

// toolErrorIn returns the first *[toolerr.Error] in the tree of err, or nil.
func toolErrorIn(err error) *toolerr.Error {
	e, _ := classify.Find(err, classify.As[toolerr.Error])
	return e
}
