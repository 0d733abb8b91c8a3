package failure

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An attached is the error of a result whose text this module wrote. It lets
// [Classifier.Describe] distinguish this text from an author's.
type attached struct {
	error

	text     string         // as this module wrote it
	envelope *toolerr.Error // the failure, if its classification is final
	keyed    bool           // the call has a key that its tool supports
}

func (r *attached) Unwrap() error { return r.error }

// LogValue returns the value of the error.
func (r *attached) LogValue() slog.Value { return slog.AnyValue(r.error) }

// Attach sets cause as the error of res, whose text this module has just written. The
// envelope, if not nil, is the one in the text, and is not classified again.
func Attach(res *mcp.CallToolResult, cause error, envelope *toolerr.Error) {
	if cause != nil {
		cause = &attached{error: cause, text: foreign.FirstText(res), envelope: envelope}
	}
	res.SetError(cause) // keeps existing content
}

// A resultError is a failed result as an error. Its text is the envelope, because the SDK
// sends the text if no middleware replaces it.
type resultError struct {
	res  *mcp.CallToolResult
	err  *toolerr.Error
	text string
}

func (e *resultError) Error() string { return e.text }
func (e *resultError) Unwrap() error { return e.err }

// FromResult returns a failed result as an error, for typed handlers.
func FromResult(ctx context.Context, res *mcp.CallToolResult) error {
	e, said, cause := new(Classifier).Describe(ctx, res, nil)
	e, content := Content(e.Resolve(toolerr.ToolHints{}), said)
	return &resultError{res: res, err: e.WithCause(cause), text: textOf(content)}
}

// Unguarded returns the error of a typed handler as an error whose text is the envelope,
// because no middleware replaces it. Build is result.Failure. A protocol error is returned
// unchanged.
func Unguarded(err error, build func(error) *mcp.CallToolResult) error {
	switch err := err.(type) { //nolint:errorlint // only a direct one
	case *jsonrpc.Error, *resultError:
		return err
	}
	res := build(err)
	return &resultError{res: res, err: toolerr.From(err), text: foreign.FirstText(res)}
}

// textOf returns the envelope in the content that [Content] returns.
func textOf(content []mcp.Content) string {
	t, _ := content[0].(*mcp.TextContent)
	return t.Text
}

// Final returns e as an error that is not classified again. It includes the cause for the
// log, the _meta of the failed result, if any, and its author's own content, or nil. Keyed
// means that the call has an idempotency key. The identical call is then not executed twice.
func Final(e *toolerr.Error, cause error, meta mcp.Meta, said *mcp.CallToolResult, keyed bool) error {
	e, content := Content(e, said)
	text := textOf(content)
	r := complete()
	res := &r
	res.Content, res.Meta = content, meta
	res.SetError(&attached{error: cmp.Or(cause, error(e)), text: text, envelope: e, keyed: keyed})
	return &resultError{res: res, err: e.WithCause(cause), text: text}
}

// Keyed reports whether [Final] made the result, for a call with a key.
func Keyed(res *mcp.CallToolResult) bool {
	if res == nil {
		return false
	}
	r, ok := res.GetError().(*attached) //nolint:errorlint // as Final has set it
	return ok && r.keyed
}

// Unpack returns the result inside an error of [FromResult] or [Final]. Otherwise it
// returns its arguments. The SDK puts the error of a typed handler into a result.
func Unpack(res *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	packed := err
	if err == nil && res != nil {
		packed = res.GetError()
	}
	if e, ok := packed.(*resultError); ok && e != nil { //nolint:errorlint // it is not wrapped
		return e.res, nil //nolint:nilerr // the result contains the error
	}
	return res, err
}
