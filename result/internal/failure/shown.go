package failure

import (
	"cmp"
	"errors"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ServiceError is a service's message found inside an error. It wraps that error. If Reveal
// rejects the whole error, it is called with this.
type ServiceError struct{ textError }

// serviceMessage returns the message of the service that answered with the cause, bounded and without
// secrets, or "". It sets the field that the service names, if the tool has such an argument; of a path,
// only what stands in the call's arguments, because the rest is the service's text. Rejection is the
// service's, if the arguments hold the statement that it is about.
func (c *Classifier) serviceMessage(f *Findings, rejection string) string {
	text, field := classify.ServiceMessage(f.Cause)
	root := field[:strings.IndexAny(field+".", ".[")]
	if e := f.Failure; root != "" && e.Category == toolerr.CategoryValidation && e.Field == "" {
		if field, _, _, _ = c.Arguments.At(field); field == "" {
			field = c.Tool.Argument(spelling.Fold(root))
		}
		f.Failure = e.WithField(field)
	}
	return sanitize.Ends(redact.Mask(cmp.Or(text, rejection, c.databaseText(f))))
}

// databaseText returns the text of the innermost error if a library made it, and an argument is a
// statement: then it is a database's, about a value or a state.
func (c *Classifier) databaseText(f *Findings) (text string) {
	refused := f.Failure.Category == toolerr.CategoryValidation || f.Failure.Category == toolerr.CategoryBusiness
	refused = refused && c.Arguments.HasStatement()
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
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: Text(err)}}}
}
