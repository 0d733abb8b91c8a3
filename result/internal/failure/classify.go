// Package failure takes what a tool call failed with, an error or a failed result,
// and returns the envelope that goes on the wire and the cause that goes to the log.
// Packages result and idempotency classify by it, so that both say the same.
package failure

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Classifier classifies failures as a server's author has configured it. The
// fields are those of result.MiddlewareOptions, as is their documentation. The zero
// value is ready to use.
type Classifier struct {
	Rules  []toolerr.Rule
	Reveal func(error) bool
}

// Describe returns the envelope for a failed call, and the cause behind it: for err,
// or for res if err is nil. The text of an unclassified error is never part of
// the envelope, unless Reveal chooses it.
//
// It panics when a rule, Reveal or a method of the error does.
func (c *Classifier) Describe(ctx context.Context, res *mcp.CallToolResult, err error) (e *toolerr.Error, cause error) {
	if err != nil {
		return c.fromError(ctx, err), err
	}
	cause = res.GetError()
	if cause == nil {
		return describeText(res)
	}
	ours := false                       // whether the text of res is this module's
	if r, ok := cause.(*recorded); ok { //nolint:errorlint // as Record has set it
		cause = r.error
		if ours = foreign.FirstText(res) == r.text; ours && r.envelope != nil {
			return r.envelope, cause
		}
	}
	if ours || !besideError(foreign.FirstText(res), cause) {
		return c.fromError(ctx, cause), cause
	}
	said, whole := foreign.Failure(res)
	if !whole {
		said = c.fromError(ctx, cause).WithMessage(said.Message)
	}
	return said, cause
}

// besideError reports whether a text was written by an author beside cause, and is not
// the one that the SDK shows of cause. Only a *[toolerr.Error] tells: any other may say
// something else each time that it is asked, so that what it said first is not known.
func besideError(text string, cause error) bool {
	e, ok := cause.(*toolerr.Error) //nolint:errorlint // one that wraps it has a text of its own
	return ok && e != nil && text != "" && text != e.Message
}

// describeText describes a failed result that an author wrote without an error.
func describeText(res *mcp.CallToolResult) (e *toolerr.Error, cause error) {
	said, whole := foreign.Failure(res)
	switch {
	case whole:
		return said, ErrEnvelope
	case said.Category == "": // unclassified words
		return toolerr.Internal(ErrBareText).WithMessage(said.Message), ErrBareText
	}
	return said, ErrBareText
}

// fromError is [toolerr.From] with the author's rules, and with what the call's
// context tells.
func (c *Classifier) fromError(ctx context.Context, err error) *toolerr.Error {
	if p, ok := err.(*PanicError); ok { //nolint:errorlint // ours, and never wrapped
		return toolerr.Internal(p)
	}
	e, byRule := c.byRule(err)
	if !byRule {
		e = toolerr.From(err)
	}
	limit := timeLimitOf(ctx)
	switch {
	case e == nil: // a nil *toolerr.Error
		return ErrNoError
	case !byRule && c.Reveal != nil && !isClassified(err) && c.Reveal(err):
		return e.WithMessage(err.Error())
	case limit == nil && ctx.Err() != nil && e.Code == toolerr.CodeCanceled:
		return e.WithMessage("The caller cancelled the call.")
	case limit != nil && toolerr.CodeOf(err) == "" && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeCanceled):
		if e.Code == toolerr.CodeCanceled { // how some libraries take the end of a context
			e = toolerr.From(limit)
		}
		return e.WithMessage(fmt.Sprintf("The tool did not finish within its time limit of %v.", limit.after))
	}
	return e
}

// byRule returns what the first of the author's rules that knows err says of it.
func (c *Classifier) byRule(err error) (*toolerr.Error, bool) {
	for _, rule := range c.Rules {
		if e, ok := rule(err); ok {
			return e, true
		}
	}
	return nil, false
}

// ByAuthor reports whether an author has classified a cause, in place of
// [toolerr.From] alone.
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
