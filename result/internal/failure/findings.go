package failure

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Findings hold what is known about a failed call.
type Findings struct {
	Failure *toolerr.Error      // not resolved for the tool: see [toolerr.Error.Resolve]
	Cause   error               // for the log
	Said    *mcp.CallToolResult // the author's own content, or the text that Reveal selects, or nil: see [Content]
}

// Collect returns the findings for err, or for res if err is nil. They contain the text of an
// unclassified error only if Reveal selects it. It panics if a rule or Reveal panics. The first that
// is there decides:
//
//	whole failure  an envelope of this module, or one that the author's content is
//	category etc.  a rule; an author's *toolerr.Error in the chain; the call's arguments; the types of
//	               the errors; the members of a JSON object in the author's content
//	message        the author's content; a rule's; the text that Reveal selects; an author's; a service's
//	               that Reveal selects; the end of the call's context; the argument at fault; the code's
func (c *Classifier) Collect(ctx context.Context, res *mcp.CallToolResult, err error) Findings {
	if err != nil {
		f, _ := c.readError(ctx, err)
		return f
	}
	cause := res.GetError()
	if cause == nil {
		written, whole := foreign.Written(res)
		return Findings{Failure: written, Cause: map[bool]error{true: ErrEnvelope, false: ErrBare}[whole], Said: res}
	}
	r, isAttached := cause.(*attached) //nolint:errorlint // as Attach has set it
	said, isOurs := res, false
	if isAttached {
		cause = r.error
		said, isOurs = withoutTexts(res, func(text string) bool { return text == r.text })
	}
	if isOurs && r.envelope != nil {
		return Findings{Failure: r.envelope, Cause: cause, Said: said}
	}
	if !isOurs { // the SDK has made a text from the error, wherever other middleware put it
		text := Text(cause)
		said, isOurs = withoutTexts(res, func(t string) bool { return isTextOf(t, text) })
	}
	f, isClassified := c.readError(ctx, cause)
	if isOurs || foreign.FirstText(res) == "" {
		if f.Said == nil {
			f.Said = said
		} else if said != nil {
			f.Said.Content, f.Said.StructuredContent = append(f.Said.Content, said.Content...), said.StructuredContent
		}
		return f
	}
	written, whole := foreign.Written(said)
	if f.Said = said; whole || !isClassified {
		f.Failure = written
	} else {
		f.Failure = f.Failure.WithMessage(written.Message)
	}
	return f
}

// readError returns the findings for an error, and reports whether anything but an unknown text classifies it.
func (c *Classifier) readError(ctx context.Context, cause error) (f Findings, isClassified bool) {
	cause = c.withoutEnd(ctx, cause)
	if p, ok := cause.(*PanicError); ok { //nolint:errorlint // ours, and never wrapped
		return Findings{Failure: toolerr.Internal(p), Cause: p}, true
	}
	e, byRule := c.byRule(cause)
	if !byRule {
		e = toolerr.From(cause)
	}
	f = Findings{Failure: OrInternal(cmp.Or(e, ErrNoError)), Cause: cause}
	if e == nil || byRule && e.Message != "" { // e is nil for a nil *toolerr.Error
		return f, true
	}
	own, isProven := toolErrorIn(cause), false
	var rejection, service, words string
	if !byRule {
		rejection, isProven = c.blame(&f)
	}
	isAuthors := byRule || own != nil
	hasWords := own != nil && own.Message != "" && own.Message != hint.Sentence(string(own.Code)) // which is the library's
	if !hasWords {
		service = c.serviceMessage(&f, rejection)
	}
	if f.Said = c.Revealed(cause); f.Said != nil {
		words = foreign.FirstText(f.Said)
	} else if service != "" && c.Reveal != nil && c.Reveal(&ServiceError{textError{cause, service}}) {
		words = service
	}
	switch {
	case words != "" && !isAuthors && !isProven: // it is all that is known
		f.Failure = (&toolerr.Error{Message: words}).WithCause(cause)
	case words != "":
		f.Failure = f.Failure.WithMessage(words)
		if e := f.Failure; !byRule && (own == nil || f.Said == nil) && e.Hint == "" && !e.Retryable &&
			(e.Effect == "" || e.Effect == toolerr.EffectNone) {
			e.Hint = hint.Shown // that of the code may contradict the text
		}
	case byRule && own != nil:
		f.Failure = f.Failure.WithMessage(own.Message)
	case !isAuthors && ctx.Err() != nil:
		f.Failure = end(ctx, f.Failure)
	}
	return f, isAuthors || isProven
}
