// Package failure reads the failure of a tool call, an error or a failed result. It returns
// the envelope for the wire and the cause for the log. Packages result and idempotency both
// use it, so that they classify alike.
package failure

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Classifier classifies failures with the configuration of a server's author. The fields
// are those of result.MiddlewareOptions and are documented there, except the last two,
// which belong to the call. The zero value is ready to use. A Classifier is copied for each
// call, because it keeps the text of the call's error.
type Classifier struct {
	Rules  []toolerr.Rule
	Reveal func(error) bool
	Logger *slog.Logger
	// IsArgument reports whether a path is that of an argument of the tool. If nil, none
	// is.
	IsArgument func(path string) bool
	// Arguments are the arguments of the call. They are the evidence of whose fault an
	// error is.
	Arguments *evidence.Arguments

	text   string // of the call's error
	isRead bool
}

// Describe returns the envelope for a failed call and its cause: for err, or for res if err
// is nil. Said is the result with an author's own text, or nil; pass it to [Content]. The
// text of an unclassified error is never part of the envelope unless Reveal selects it.
//
// The sources, of which the first one decides:
//
//  1. an envelope, of this module or of the author,
//  2. an author's rule,
//  3. an author's *[toolerr.Error] in the chain of the error,
//  4. the types of the errors, with the call's arguments,
//  5. the members of a JSON object that an author wrote as the result.
//
// An author's text, in a result or revealed, replaces the message. If none of the sources
// classifies the failure, such a text stands alone, and any other failure is internal.
//
// Describe panics if a rule, Reveal or a method of the error panics.
func (c *Classifier) Describe(ctx context.Context, res *mcp.CallToolResult, err error) (e *toolerr.Error, said *mcp.CallToolResult, cause error) {
	if err == nil && res.GetError() == nil {
		e, whole := foreign.Written(res)
		if whole {
			return e, res, ErrEnvelope
		}
		return e, res, ErrBareText
	}
	instead := false // the author's content stands instead of the error's text
	if err == nil {
		if e, said, instead, err = c.contentOf(res); e != nil {
			return e, said, err
		}
	}
	if err = c.withoutEnd(ctx, err); err == context.Canceled { //nolint:errorlint // the very value
		c.isRead = false // it may have replaced the error
	}
	e, shown, classified := c.fromError(ctx, err)
	if !instead {
		return e, both(shown, said), err
	}
	if written, whole := foreign.Written(said); whole || !classified {
		e = written
	} else {
		e = e.WithMessage(written.Message)
	}
	return e, said, err
}

// contentOf returns the error of a result, and the author's own content beside it or instead
// of its text, or nil. E is not nil if this module has written the envelope and it is final.
//
// The author's content is what remains without the text that this module or the SDK has made
// from the error, wherever other middleware has put it. Without that text, the content stands
// instead of it if the error's text cannot change. If it can, as one that lists a map does, no
// text is known to be the author's.
func (c *Classifier) contentOf(res *mcp.CallToolResult) (e *toolerr.Error, said *mcp.CallToolResult, instead bool, cause error) {
	cause = res.GetError()
	if r, ok := cause.(*attached); ok { //nolint:errorlint // as Attach has set it
		if said, ok = withoutTexts(res, func(text string) bool { return text == r.text }); ok {
			return r.envelope, said, false, r.error
		}
		cause = r.error
	}
	causeText := c.TextOf(cause)
	said, ok := withoutTexts(res, func(text string) bool { return text == causeText })
	switch {
	case ok:
		return nil, said, false, cause
	case isConstant(cause) && foreign.FirstText(res) != "":
		return nil, said, true, cause
	}
	said, _ = withoutTexts(res, func(string) bool { return true })
	return nil, said, false, cause
}

// fromError is [toolerr.From] with the author's rules, the call's arguments and the state of
// the call's context. Said is the text of an error that Reveal selects. Classified reports
// whether an author or a type classifies the error.
func (c *Classifier) fromError(ctx context.Context, err error) (e *toolerr.Error, said *mcp.CallToolResult, classified bool) {
	if p, ok := err.(*PanicError); ok { //nolint:errorlint // ours, and never wrapped
		return toolerr.Internal(p), nil, true
	}
	e, byRule := c.byRule(err)
	classified = byRule
	if !byRule {
		e, classified = c.withEvidence(err)
	}
	if e == nil { // a nil *toolerr.Error
		return ErrNoError, nil, true
	}
	e = OrInternal(e)
	if byRule || hasToolError(err) { // an author's words are kept, also at the end of the context
		return e, nil, true
	}
	e, said = c.show(e, err, classified)
	if said != nil {
		return e, said, classified
	}
	limit := timeLimitOf(ctx)
	switch {
	case limit == nil && ctx.Err() != nil && e.Code == toolerr.CodeCanceled:
		return e.WithMessage("The caller cancelled the call."), nil, classified
	case limit != nil && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeCanceled):
		if e.Code == toolerr.CodeCanceled { // how some libraries take the end of a context
			e = toolerr.From(limit)
		}
		return e.WithMessage(fmt.Sprintf("The tool did not finish within its time limit of %v.", limit.after)), nil, classified
	}
	return e, nil, classified
}

// OrInternal returns e. If its author set neither a category nor a code nor a message, it
// returns a copy that is an unexpected error.
func OrInternal(e *toolerr.Error) *toolerr.Error {
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

// ByAuthor reports whether an author answers for the classification of a cause: with a rule, or
// with a *[toolerr.Error], also one that he made with [toolerr.From].
func (c *Classifier) ByAuthor(cause error) bool {
	if cause == ErrEnvelope || hasToolError(cause) { //nolint:errorlint // the very value
		return true
	}
	_, ok := c.byRule(cause)
	return ok
}

// hasToolError reports whether a *[toolerr.Error] is in the chain of err.
func hasToolError(err error) bool {
	return toolerr.CategoryOf(err) != "" || toolerr.CodeOf(err) != ""
}
