package failure

import (
	"regexp"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readWords reads a text with the reason of a failure.
func (c *Classifier) readWords(text string) *toolerr.Error {
	e := foreign.Text(text)
	c.withoutEcho(e, text, foreign.Text)
	c.nameConflict(e, text)
	return e
}

// nameConflict makes a conflict more precise: another name is needed if the text has a name
// from the arguments. No other state is required in either case.
func (c *Classifier) nameConflict(e *toolerr.Error, text string) {
	if e.Code != toolerr.CodeFailedPrecondition || !conflicts().MatchString(text) {
		return
	}
	e.Code = toolerr.CodeConflict
	if _, fault := c.evidence().Words(text); fault == classify.Callers {
		e.Code = toolerr.CodeAlreadyExists
	}
}

var conflicts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\bconflict(?:s|ed|ing)? with\b`) })

// readResult reads a failed result, and reports whether it is an envelope as a whole.
func (c *Classifier) readResult(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	e, envelope = foreign.Failure(res)
	text := foreign.FirstText(res)
	at := blockOf(res, text)
	if envelope || at < 0 {
		return e, envelope
	}
	if !foreign.IsObject(text) {
		c.nameConflict(e, text)
	}
	c.withoutEcho(e, text, func(text string) *toolerr.Error {
		withoutArguments := *res
		withoutArguments.Content = slices.Clone(res.Content)
		withoutArguments.Content[at] = &mcp.TextContent{Text: text}
		again, _ := foreign.Failure(&withoutArguments)
		return again
	})
	return e, envelope
}

// withoutEcho removes properties from e, which was read from text, that only stem from
// repeated arguments. If the rest of the text has another classification, it replaces an
// outage, which allows a retry. A refusal is not replaced: e then has no category.
func (c *Classifier) withoutEcho(e *toolerr.Error, text string, read func(string) *toolerr.Error) {
	if e.Category == "" {
		return
	}
	rest := c.evidence().Mask(text)
	if rest == text {
		return
	}
	again := read(rest)
	e.Retryable = e.Retryable && again.Retryable
	if !e.Retryable {
		e.RetryAfter = 0
	}
	switch {
	case again.Category == e.Category:
	case e.Category == toolerr.CategoryTransient:
		e.Category, e.Code, e.Effect = again.Category, again.Code, again.Effect
	default:
		e.Category, e.Code, e.Effect = "", "", ""
	}
}
