// Package failure reads the failure of a tool call, an error or a failed result. It returns
// the envelope for the wire and the cause for the log. Packages result and idempotency both
// use it, so that they classify alike.
package failure

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Classifier classifies failures with the configuration of a server's author. The fields
// are those of result.MiddlewareOptions and are documented there, except the last two,
// which belong to the call. The zero value is ready to use.
type Classifier struct {
	Rules           []toolerr.Rule
	Reveal          func(error) bool
	ServiceMessages bool
	Logger          *slog.Logger
	// IsArgument reports whether a path is that of an argument of the tool. If nil, none
	// is.
	IsArgument func(path string) bool
	// Arguments are the arguments of the call. They are the evidence of whose fault an
	// error is.
	Arguments *evidence.Arguments
}

func (c *Classifier) evidence() *evidence.Arguments {
	if c.Arguments == nil {
		return evidence.New(nil)
	}
	return c.Arguments
}

// Describe returns the envelope for a failed call and its cause: for err, or for res if err
// is nil. Said is the result with an author's own text, or nil; pass it to [Content]. The
// text of an unclassified error is never part of the envelope unless Reveal selects it.
//
// Describe panics if a rule, Reveal or a method of the error panics.
func (c *Classifier) Describe(ctx context.Context, res *mcp.CallToolResult, err error) (e *toolerr.Error, said *mcp.CallToolResult, cause error) {
	if err != nil {
		err = c.withoutEnd(ctx, err)
		e, said = c.fromError(ctx, err)
		return e, said, err
	}
	cause = res.GetError()
	if cause == nil {
		e, cause = c.describeText(res)
		return e, res, cause
	}
	ours := -1                          // the block that this module wrote
	if r, ok := cause.(*recorded); ok { //nolint:errorlint // as Record has set it
		cause = r.error
		if ours = blockOf(res, r.text); ours >= 0 && r.envelope != nil {
			return r.envelope, without(res, ours), cause
		}
	}
	if ours >= 0 {
		e, said = c.fromError(ctx, cause)
		return e, both(said, without(res, ours)), cause
	}
	rest, constant := withoutCause(res, cause)
	cause = c.withoutEnd(ctx, cause)
	if constant && rest != nil && foreign.FirstText(rest) != "" {
		words, whole := c.readResult(rest)
		if !whole {
			if e, _ = c.fromError(ctx, cause); e.Code != toolerr.CodeInternal || isClassified(cause) {
				words = e.WithMessage(words.Message)
			}
		}
		return words, rest, cause
	}
	e, said = c.fromError(ctx, cause)
	return e, both(said, rest), cause
}

// withoutCause returns the author's content of a result in addition to the cause, or nil: the
// content without the text that the SDK made from the cause, wherever other middleware has
// put it. It calls the cause once. If the text of the cause is constant, every other block is
// the author's. Any other cause may have had another text for the SDK: unless one of the
// blocks has its current text, no text block is known to be the author's.
func withoutCause(res *mcp.CallToolResult, cause error) (rest *mcp.CallToolResult, constant bool) {
	e, ok := cause.(*toolerr.Error) //nolint:errorlint // one that wraps it has a text of its own
	constant = ok && e != nil || !ok && isPlain(cause)
	shown := cause.Error()
	isCause := func(block mcp.Content) bool {
		t, ok := block.(*mcp.TextContent)
		return ok && t != nil && t.Text == shown
	}
	if !constant && !slices.ContainsFunc(res.Content, isCause) {
		isCause = func(block mcp.Content) bool { _, ok := block.(*mcp.TextContent); return ok }
	}
	var others []mcp.Content
	for _, block := range res.Content {
		if !isCause(block) {
			others = append(others, block)
		}
	}
	if len(others) == 0 && res.StructuredContent == nil {
		return nil, constant
	}
	return &mcp.CallToolResult{Meta: res.Meta, Content: others, StructuredContent: res.StructuredContent}, constant
}

// describeText describes a failed result that an author wrote without an error. If its text
// is not classified, the failure has no category.
func (c *Classifier) describeText(res *mcp.CallToolResult) (e *toolerr.Error, cause error) {
	said, whole := c.readResult(res)
	if whole {
		return said, ErrEnvelope
	}
	return said, ErrBareText
}

// fromError is [toolerr.From] with the author's rules and the state of the call's context.
// Said is the text of an error that Reveal selects.
func (c *Classifier) fromError(ctx context.Context, err error) (e *toolerr.Error, said *mcp.CallToolResult) {
	if p, ok := err.(*PanicError); ok { //nolint:errorlint // ours, and never wrapped
		return toolerr.Internal(p), nil
	}
	var guess classify.Classification
	e, byRule := c.byRule(err)
	if !byRule {
		e, guess = c.from(err)
	}
	if e == nil { // a nil *toolerr.Error
		return ErrNoError, nil
	}
	e = Classified(e)
	if !byRule && !isClassified(err) {
		if said = c.Revealed(err); said != nil {
			return c.inWords(e, err, foreign.FirstText(said), guess), said
		}
	}
	limit := timeLimitOf(ctx)
	switch {
	case limit == nil && ctx.Err() != nil && e.Code == toolerr.CodeCanceled:
		return e.WithMessage("The caller cancelled the call."), nil
	case limit != nil && toolerr.CodeOf(err) == "" && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeCanceled):
		if e.Code == toolerr.CodeCanceled { // how some libraries take the end of a context
			e = toolerr.From(limit)
		}
		return e.WithMessage(fmt.Sprintf("The tool did not finish within its time limit of %v.", limit.after)), nil
	case !byRule && !isClassified(err):
		return c.withServiceMessage(e, err), nil
	}
	return e, nil
}

// Classified returns e. If its author set neither a category nor a code nor a message, it
// returns a copy that is an unexpected error.
func Classified(e *toolerr.Error) *toolerr.Error {
	if e.Category == "" && e.Code == "" && e.Message == "" {
		c := *e
		unexpected := toolerr.Internal(nil)
		c.Category, c.Code, c.Message, c.Effect = unexpected.Category, unexpected.Code, unexpected.Message, cmp.Or(c.Effect, unexpected.Effect)
		return &c
	}
	return e
}

// byRule returns the result of the first of the author's rules that matches err.
func (c *Classifier) byRule(err error) (*toolerr.Error, bool) {
	for _, rule := range c.Rules {
		if e, ok := rule(err); ok {
			return e, true
		}
	}
	return nil, false
}

// ByAuthor reports whether an author has classified a cause, and not only [toolerr.From].
func (c *Classifier) ByAuthor(cause error) bool {
	if cause == ErrEnvelope || isClassified(cause) { //nolint:errorlint // the very value
		return true
	}
	_, ok := c.byRule(cause)
	return ok
}

// isClassified reports whether a *[toolerr.Error] is in the chain of err.
func isClassified(err error) bool {
	return toolerr.CategoryOf(err) != "" || toolerr.CodeOf(err) != ""
}
