package failure

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An attached error belongs to a result whose text this module wrote. It lets [Classifier.Collect]
// distinguish this text from an author's.
type attached struct {
	error

	text     string         // as this module wrote it
	envelope *toolerr.Error // the failure, if its classification is final
}

func (r *attached) Unwrap() error { return r.error }

// LogValue returns the log value of the error.
func (r *attached) LogValue() slog.Value { return slog.AnyValue(r.error) }

// Attach sets cause as the error of res, whose text this module has just written. The envelope, if
// not nil, is the one in the text, and is final.
func Attach(res *mcp.CallToolResult, cause error, envelope *toolerr.Error) {
	res.SetError(&attached{error: cause, text: foreign.FirstText(res), envelope: envelope}) // keeps existing content
}

// withoutTexts returns the content of a result without the texts that isOne selects, or nil if
// nothing is left, and reports whether isOne selected any.
func withoutTexts(res *mcp.CallToolResult, isOne func(text string) bool) (rest *mcp.CallToolResult, has bool) {
	var content []mcp.Content
	for _, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && isOne(t.Text) {
			has = true
		} else {
			content = append(content, block)
		}
	}
	if len(content) == 0 && res.StructuredContent == nil {
		return nil, has
	}
	return &mcp.CallToolResult{Meta: res.Meta, Content: content, StructuredContent: res.StructuredContent}, has
}

// A packed error is a failed result in the form of an error. Its text is the envelope, because the
// SDK sends the text if no middleware replaces it.
type packed struct {
	textError

	res *mcp.CallToolResult
}

// PackResult turns an author's failed result into an error, for typed handlers.
func PackResult(ctx context.Context, res *mcp.CallToolResult) error {
	found := new(Classifier).Collect(ctx, res, nil)
	e, content := Content(found.Failure.Resolve(toolerr.ToolAnnotations{}), found.Said)
	return &packed{textError{e.WithCause(found.Cause), foreign.FirstText(&mcp.CallToolResult{Content: content})}, res}
}

// PackError turns a typed handler's error into one whose text is the envelope, for servers without
// the middleware. Build is result.Failure. A protocol error is returned unchanged.
func PackError(err error, build func(error) *mcp.CallToolResult) error {
	switch err := err.(type) { //nolint:errorlint // only a direct one
	case *jsonrpc.Error, *packed:
		return err
	}
	res := build(err)
	return &packed{textError{toolerr.From(err), foreign.FirstText(res)}, res}
}

// withAdded returns the packed result with what other middleware has added to its text in res, or beside it.
func (e *packed) withAdded(res *mcp.CallToolResult) *mcp.CallToolResult {
	var added []mcp.Content
	none := new(mcp.CallToolResult)
	more, _ := withoutTexts(cmp.Or(res, none), func(text string) bool {
		before, after, isMine := strings.Cut(text, e.text)
		if words := strings.TrimSpace(before + after); isMine && words != "" {
			added = append(added, &mcp.TextContent{Text: words})
		}
		return isMine
	})
	r := *e.res
	r.Content = slices.Concat(r.Content, added, cmp.Or(more, none).Content)
	return &r
}

// Pack returns e, an envelope, as an error that is not classified again. Meta is the failed
// result's, if any.
func Pack(e *toolerr.Error, found Findings, meta mcp.Meta) error {
	e, content := Content(e, found.Said)
	r := complete()
	r.Content, r.Meta = content, meta
	Attach(&r, cmp.Or(found.Cause, error(e)), e)
	return &packed{textError{e.WithCause(found.Cause), foreign.FirstText(&r)}, &r}
}

// Unpack returns the result inside a packed error. The SDK may have put the error into res. If there is
// no packed error, Unpack returns its arguments.
func Unpack(res *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	inside := err
	if err == nil && res != nil {
		inside = res.GetError()
	}
	if e, ok := inside.(*packed); ok { //nolint:errorlint // it is not wrapped
		return e.withAdded(res), nil // the result contains the error
	}
	return res, err
}
