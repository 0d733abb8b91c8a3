package failure

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ServiceError is a service's message found inside an error. It wraps that error. If Reveal
// rejects the whole error, it is called with this.
type ServiceError struct {
	err  error
	text string // bounded, without secrets
}

// Error returns the message.
func (m *ServiceError) Error() string { return m.text }

// Unwrap returns the whole error.
func (m *ServiceError) Unwrap() error { return m.err }

// serviceMessage returns the message of the service that answered with err, or nil if there is
// none, and the member of the request that it concerns. Rejection is the service's, if the arguments
// hold the statement that it is about.
func serviceMessage(err error, rejection string) (m *ServiceError, field string) {
	text, field := classify.ServiceMessage(err)
	if text = sanitize.Ends(redact.Mask(cmp.Or(text, rejection)), sanitize.MaxLength); text == "" {
		return nil, field
	}
	return &ServiceError{err, text}, field
}

// databaseText returns the text of the innermost error if a library made it, and an argument is a
// statement: then it is a database's, about a value or a state.
func (c *Classifier) databaseText(f *Findings) (text string) {
	refused := f.Failure.Category == toolerr.CategoryValidation || f.Failure.Category == toolerr.CategoryBusiness
	refused = refused && c.Arguments != nil && c.Arguments.HasStatement()
	for err := f.Cause; refused && err != nil; err = errors.Unwrap(err) {
		text = ""
		if v := reflect.Indirect(reflect.ValueOf(err)); v.IsValid() && strings.Contains(v.Type().PkgPath(), ".") {
			text = Text(err) // the paths of the standard library have no dot
		}
	}
	return text
}

// Revealed returns the text of err as the content of a result if Reveal selects err, otherwise nil.
// Reveal is not called with a *toolerr.Error, with a panic, or with what the library itself states.
func (c *Classifier) Revealed(err error) *mcp.CallToolResult {
	switch err.(type) { //nolint:errorlint // the text of a toolerr.Error is the message already
	case *toolerr.Error, *PanicError, FaultError:
		return nil
	}
	if c.Reveal == nil || !c.Reveal(err) {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: c.TextOf(err)}}}
}

// show adds the text that Reveal selects, and returns it as content if it is the error's whole
// text. It also adds the field that the service names, if the tool has such an argument. If no type
// classifies the error, this text is all that is sent.
func (c *Classifier) show(f *Findings) *mcp.CallToolResult {
	message, field := serviceMessage(f.Cause, cmp.Or(f.rejection, c.databaseText(f)))
	root := field[:strings.IndexAny(field+".", ".[")]
	for _, name := range []string{root, strings.TrimPrefix(strings.ToLower(capitals().ReplaceAllString(root, "_$0")), "_")} {
		if c.IsArgument != nil && f.field == "" && c.IsArgument(name) {
			f.field = name + field[len(root):]
		}
	}
	shown, text := c.Revealed(f.Cause), ""
	switch {
	case shown != nil:
		text = foreign.FirstText(shown)
	case message != nil && c.Reveal != nil && c.Reveal(message):
		text = message.text
	default:
		return nil
	}
	if !f.typed {
		f.Failure = (&toolerr.Error{Message: text}).WithCause(f.Cause)
	} else {
		f.message, f.revealed = &text, true
	}
	return shown
}

// capitals are those in the camel case of many APIs, whose members tools often name in snake case.
var capitals = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[A-Z]") })
