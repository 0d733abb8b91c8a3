package failure

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ServiceError is the message of a service in an error, as an error of its own that wraps
// the whole one. Reveal is called with it if it has not selected the whole error.
type ServiceError struct {
	err  error
	text string // bounded, without secrets
}

// Error returns the message.
func (m *ServiceError) Error() string { return m.text }

// Unwrap returns the whole error.
func (m *ServiceError) Unwrap() error { return m.err }

// serviceMessage returns the message of the service that answered with err, or nil, and the
// member of the request that it is about.
func serviceMessage(err error) (m *ServiceError, field string) {
	text, field := classify.ServiceMessage(err)
	if text = sanitize.Ends(redact.Mask(text), sanitize.MaxLength); text == "" {
		return nil, field
	}
	return &ServiceError{err, text}, field
}

// Revealed returns the text of an error that Reveal selects, as the content of a result, or
// nil.
func (c *Classifier) Revealed(err error) *mcp.CallToolResult {
	if c.Reveal == nil || !c.Reveal(err) {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: c.TextOf(err)}}}
}

// show returns e with the text that Reveal selects, and the whole text as content if that is
// it. The field is the service's, if the tool has an argument of that name. A text that no
// type classifies stands alone.
func (c *Classifier) show(e *toolerr.Error, err error, typed bool) (*toolerr.Error, *mcp.CallToolResult) {
	message, field := serviceMessage(err)
	if e.Category == toolerr.CategoryValidation && e.Field == "" && c.IsArgument != nil && c.IsArgument(field) {
		e = e.WithField(field)
	}
	said := c.Revealed(err)
	text := ""
	switch {
	case said != nil:
		text = foreign.FirstText(said)
	case message != nil && c.Reveal != nil && c.Reveal(message):
		text = message.text
	default:
		return e, nil
	}
	if !typed {
		return (&toolerr.Error{Message: text}).WithCause(err), said
	}
	if e = e.WithMessage(text); e.Hint == "" && !e.Retryable && (e.Effect == "" || e.Effect == toolerr.EffectNone) {
		e.Hint = hint.Shown // that of the code may contradict the text
	}
	return e, said
}
