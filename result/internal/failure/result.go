package failure

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// complete has the resultType that protocol version 2026-07-28 requires of a
// result. The SDK sets it on what a handler returns, not on what middleware
// makes, and the field is not exported; decoding is the way to it, and copying
// the decoded struct costs a hundredth of decoding again. Older clients ignore
// it.
var complete = sync.OnceValue(func() (r mcp.CallToolResult) {
	if err := json.Unmarshal([]byte(`{"resultType":"complete","content":[]}`), &r); err != nil {
		panic("result: the SDK does not decode a complete result: " + err.Error())
	}
	return r
})

// TextResult returns a new result that is a text.
func TextResult(text string) *mcp.CallToolResult {
	r := complete()
	r.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	return &r
}

// ResultFor returns a new result for the request's protocol version: the resultType
// exists since 2026-07-28.
func ResultFor(req mcp.Request, content []mcp.Content) *mcp.CallToolResult {
	r := complete()
	r.Content = content
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && session != nil {
		if p := session.InitializeParams(); p != nil && p.ProtocolVersion < "2026-07-28" {
			return &mcp.CallToolResult{Content: content}
		}
	}
	return &r
}

// A recorded is the error of a result whose text this module wrote: with it
// [Classifier.Describe] tells that text from an author's.
type recorded struct {
	error

	text     string         // as it was written
	envelope *toolerr.Error // the failure, once it has been classified for good
	keyed    bool           // the call carried a key that its tool honours
}

func (r *recorded) Unwrap() error { return r.error }

// LogValue is that of the error.
func (r *recorded) LogValue() slog.Value { return slog.AnyValue(r.error) }

// Record makes res, whose text this module has just written, the failure of cause.
// The envelope, if not nil, is the one that the text holds, which is not classified
// again.
func Record(res *mcp.CallToolResult, cause error, envelope *toolerr.Error) {
	if cause != nil {
		cause = &recorded{error: cause, text: foreign.FirstText(res), envelope: envelope}
	}
	res.SetError(cause) // leaves content that is there alone
}

// A resultError is a failed result as an error. Its text is the envelope,
// because that is what the SDK puts on the wire if no middleware does better.
type resultError struct {
	res  *mcp.CallToolResult
	err  *toolerr.Error
	text string
}

func (e *resultError) Error() string { return e.text }
func (e *resultError) Unwrap() error { return e.err }

// FromResult returns a failed result as an error, for typed handlers.
func FromResult(ctx context.Context, res *mcp.CallToolResult) error {
	e, said, cause := new(Classifier).Describe(ctx, nil, res, nil)
	e, content := Content(e, said)
	return &resultError{res: res, err: e.WithCause(cause), text: textOf(content)}
}

// textOf is the envelope of a content that [Content] has made.
func textOf(content []mcp.Content) string {
	t, _ := content[0].(*mcp.TextContent)
	return t.Text
}

// Error returns e as an error that is not classified again, with the cause for the log,
// the _meta of the failed result, if there was one, and what its author has said in it
// himself, or nil. Keyed says that the call carried an idempotency key: the identical call
// is then not carried out twice.
func Error(e *toolerr.Error, cause error, meta mcp.Meta, said *mcp.CallToolResult, keyed bool) error {
	if e.Retryable && !keyed && e.Effect != toolerr.EffectNone {
		e = e.WithRetryable(false)
	}
	e, content := Content(e, said)
	text := textOf(content)
	r := complete()
	res := &r
	res.Content, res.Meta = content, meta
	res.SetError(&recorded{error: cmp.Or(cause, error(e)), text: text, envelope: e, keyed: keyed})
	return &resultError{res: res, err: e.WithCause(cause), text: text}
}

// Keyed reports whether [Error] made the result, of a call that carried a key.
func Keyed(res *mcp.CallToolResult) bool {
	if res == nil {
		return false
	}
	r, ok := res.GetError().(*recorded) //nolint:errorlint // as Error has set it
	return ok && r.keyed
}

// Unpack returns the result that [FromResult] or [Error] has made an error of, or
// what it was given: the SDK puts a typed handler's error in a result.
func Unpack(res *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	packed := err
	if err == nil && res != nil {
		packed = res.GetError()
	}
	if e, ok := packed.(*resultError); ok && e != nil { //nolint:errorlint // as it was returned
		return e.res, nil //nolint:nilerr // it is in the result
	}
	return res, err
}
