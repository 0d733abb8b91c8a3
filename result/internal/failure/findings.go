package failure

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Findings hold what is known about a failed call.
type Findings struct {
	Failure *toolerr.Error      // of an envelope, a rule, an author, or the types of the errors
	Cause   error               // for the log
	Said    *mcp.CallToolResult // the author's own content, or nil: see [Content]
	Named   string              // what the error names in the argument at fault, or empty

	typed     bool                     // an author or a type classifies the failure
	blamed    *classify.Classification // what the arguments prove instead of a guess, or nil
	rejection string                   // a service's, on a statement in the arguments
	field     string                   // the argument that a service names
	message   *string                  // of the author, of Reveal, or of the end of the context
	revealed  bool                     // Reveal selects the message
}

// Collect returns the findings for err, or for res if err is nil. They contain the text of an
// unclassified error only if Reveal selects it. The first of these decides: an envelope of this
// module or of the author; an author's rule; an author's *[toolerr.Error] in the chain; the types
// of the errors, with the call's arguments; the members of a JSON object in an author's result.
// Collect panics if a rule or Reveal panics.
func (c *Classifier) Collect(ctx context.Context, res *mcp.CallToolResult, err error) (f Findings) {
	instead := false
	switch {
	case err != nil:
		f.Cause = err
	case res.GetError() == nil:
		e, whole := foreign.Written(res)
		if f.Cause = ErrBare; whole {
			f.Cause = ErrEnvelope
		}
		return Findings{Failure: e, Cause: f.Cause, Said: res}
	default:
		if f.Failure, f.Said, instead, f.Cause = c.contentOf(res); f.Failure != nil {
			return f
		}
	}
	if f.Cause = c.withoutEnd(ctx, f.Cause); f.Cause == context.Canceled { //nolint:errorlint // the very value
		c.isRead = false // it may have replaced the error
	}
	shown := c.readError(ctx, &f)
	if !instead {
		f.Said = both(shown, f.Said)
		return f
	}
	written, whole := foreign.Written(f.Said)
	if f.message = &written.Message; whole || !f.typed {
		return Findings{Failure: written, Cause: f.Cause, Said: f.Said}
	}
	return f
}

// readError adds what the author's rules, the error, the call's arguments and the end of the
// context reveal. If Reveal selects the whole error, readError returns its text as content.
func (c *Classifier) readError(ctx context.Context, f *Findings) (shown *mcp.CallToolResult) {
	f.typed = true
	if p, ok := f.Cause.(*PanicError); ok { //nolint:errorlint // ours, and never wrapped
		f.Failure = toolerr.Internal(p)
		return nil
	}
	e, byRule := c.byRule(f.Cause)
	if !byRule {
		e = toolerr.From(f.Cause)
	}
	f.Failure = OrInternal(cmp.Or(e, ErrNoError))
	if e == nil || byRule && e.Message != "" { // e is nil for a nil *toolerr.Error
		return nil
	}
	own := toolErrorIn(f.Cause)
	if byRule { // an author chose its class, so the default hint fits
		if shown, f.revealed = c.show(f), false; shown == nil && own != nil && own.Message != "" {
			f.message = &own.Message
		}
		return shown
	}
	if c.blame(e, f); own != nil { // an author's words are kept, also at the end of the context
		f.typed = true
		if shown = c.Revealed(f.Cause); shown != nil && foreign.FirstText(shown) != e.Message { // with the text around them
			text := foreign.FirstText(shown)
			f.message = &text
			return shown
		}
		if own.Message == hint.Sentence(string(own.Code)) { // of FromResponse: the library's own words, not an author's
			return c.show(f)
		}
		return nil
	}
	if shown = c.show(f); shown == nil && ctx.Err() != nil {
		f.end(timeLimitOf(ctx))
	}
	return shown
}

// Merge merges the findings into an envelope for a tool with these annotations. If tool is nil, the
// tool is unknown, and the effect and the flag stay unresolved: see [toolerr.Error.Resolve].
func (f *Findings) Merge(tool *toolerr.ToolAnnotations) *toolerr.Error {
	e := f.Failure
	if p := f.blamed; p != nil {
		isDefault := e.Message == hint.Sentence(string(e.Code))
		e = e.WithRetryable(p.Retryable)
		e.Category, e.Code, e.Effect = toolerr.Category(p.Category), toolerr.Code(p.Code), toolerr.Effect(p.Effect)
		if e.Field = cmp.Or(e.Field, p.Field); isDefault {
			e.Message = sentence(*p, f.Named)
		}
	}
	if e.Category == toolerr.CategoryValidation && e.Field == "" && f.field != "" {
		e = e.WithField(f.field)
	}
	if f.message != nil {
		e = e.WithMessage(*f.message)
	}
	if f.revealed && e.Hint == "" && !e.Retryable && (e.Effect == "" || e.Effect == toolerr.EffectNone) {
		e.Hint = hint.Shown // that of the code may contradict the text
	}
	if tool != nil {
		e = e.Resolve(*tool)
	}
	return e
}
