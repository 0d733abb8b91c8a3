package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A changing error returns another text on every call: a format with the number of the call.
// It wraps err, if that is not nil.
type changing struct {
	asked  *int
	format string
	err    error
}

func (e changing) Error() string { *e.asked++; return fmt.Sprintf(e.format, *e.asked) }
func (e changing) Unwrap() error { return e.err }

func text(s string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: s}} }

// A text that changes is never sent, whatever it looks like, and whether or not the error
// wraps a *toolerr.Error.
func TestMiddleware_ChangingText(t *testing.T) {
	t.Parallel()
	set := func(err error, edit func(*mcp.CallToolResult)) *mcp.CallToolResult {
		r := new(mcp.CallToolResult)
		r.SetError(err)
		edit(r)
		return r
	}
	appended := func(r *mcp.CallToolResult) { r.Content = append(r.Content, text("Call support.")...) }
	var fail error
	paths := map[string]func() (*mcp.CallToolResult, error){
		"returned":          func() (*mcp.CallToolResult, error) { return nil, fail },
		"returned, wrapped": func() (*mcp.CallToolResult, error) { return nil, fmt.Errorf("x: %w", fail) },
		"set":               func() (*mcp.CallToolResult, error) { return set(fail, func(*mcp.CallToolResult) {}), nil },
		"set, with a block": func() (*mcp.CallToolResult, error) { return set(fail, appended), nil },
		"set, then written": func() (*mcp.CallToolResult, error) {
			return set(fail, func(r *mcp.CallToolResult) { r.Content = text("Nothing to see.") }), nil
		},
		"written, then set": func() (*mcp.CallToolResult, error) {
			r := &mcp.CallToolResult{Content: text("Nothing to see.")}
			r.SetError(fail)
			return r, nil
		},
		"Failure": func() (*mcp.CallToolResult, error) { return result.Failure(fail), nil },
		"Failure, with a block": func() (*mcp.CallToolResult, error) {
			r := result.Failure(fail)
			appended(r)
			return r, nil
		},
		"Failure, set again": func() (*mcp.CallToolResult, error) {
			r := result.Failure(errOverLimit)
			r.Content = nil
			r.SetError(fail)
			return r, nil
		},
	}
	wire := new(testutil.Wire)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	opts := &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
	server.AddReceivingMiddleware(result.Middleware(opts), result.Middleware(opts)) // twice, by mistake
	var end func() (*mcp.CallToolResult, error)
	typed := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) { //nolint:unparam // as handlers are
		res, err := end()
		return res, nil, err
	}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, typed)
	mcp.AddTool(server, &mcp.Tool{Name: "bare"}, typed)
	idempotency.AddTool(server, &mcp.Tool{Name: "keyed"}, nil, func(ctx context.Context, req *mcp.CallToolRequest, _ keyed) (*mcp.CallToolResult, any, error) {
		return typed(ctx, req, none{})
	})
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return end()
	})
	session := testutil.Connect(t, server, wire)
	const envelope = `{"isError":true,"errorCategory":"transient","isRetryable":true,"effect":"none","message":"10.0.0.7, take %d"}`
	for name, test := range map[string]struct {
		format  string
		behind  error
		message string
	}{
		"a sentence":                {"query on 10.0.0.7 failed, take %d", nil, "The tool failed unexpectedly."},
		"an envelope":               {envelope, nil, "The tool failed unexpectedly."},
		"a complaint":               {`validating "arguments": 10.0.0.7, take %d`, nil, ""},
		"a sentence, classified":    {"query on 10.0.0.7 failed, take %d", errOverLimit, "Over the limit."},
		"an envelope, classified":   {envelope, errOverLimit, "Over the limit."},
		"a sentence, known by type": {"query on 10.0.0.7 failed, take %d", context.DeadlineExceeded, "No answer came in time."},
	} {
		for path, do := range paths {
			for _, tool := range []string{"typed", "bare", "keyed", "raw"} {
				fail, end = changing{new(int), test.format, test.behind}, do
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
				require.Equal(t, result.KindFailure, out.Kind, "%s, %s, %s", name, path, tool)
				if test.message != "" {
					assert.Equal(t, test.message, out.Err.Message, "%s, %s, %s", name, path, tool)
				}
				assert.NotContains(t, string(wire.Last()), "10.0.0.7", "%s, %s, %s", name, path, tool)
			}
		}
	}
}

// Content returned together with an error whose text cannot change is the author's, whether it
// is a sentence or an envelope.
func TestMiddleware_WordsWithError(t *testing.T) {
	t.Parallel()
	own := toolerr.Business("Over the limit of ten.").WithCode("ten")
	var res *mcp.CallToolResult
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return res, nil
	})
	session := testutil.Connect(t, server, nil)
	for name, test := range map[string]struct {
		text string
		err  error
		want string
	}{
		"a sentence":               {"Too much.", errOverLimit, "limit_exceeded Too much."},
		"an envelope":              {string(own.AppendJSON(nil)), errOverLimit, "ten Over the limit of ten."},
		"the error's own":          {errOverLimit.Message, errOverLimit, "limit_exceeded Over the limit."},
		"nothing":                  {"", errOverLimit, "limit_exceeded Over the limit."},
		"of an unclassified error": {"Too much.", errors.New("at 10.0.0.7"), " Too much."},
		"of one that may change":   {"Too much.", changing{new(int), "at 10.0.0.7, take %d", nil}, "internal The tool failed unexpectedly."},
	} {
		for _, made := range []*mcp.CallToolResult{new(mcp.CallToolResult), result.Failure(errSoldOut), result.Failure(test.err)} {
			res = made
			res.Content = text(test.text)
			if made.GetError() == nil || errors.Is(made.GetError(), errSoldOut) {
				res.SetError(test.err)
			}
			assert.Equal(t, test.want, func() string { e := callT(t, session); return fmt.Sprint(e.Code, " ", e.Message) }(), name)
		}
	}
}

// Outer middleware gets the cause of a failure, and a second result.Middleware does not change
// the failure.
func TestMiddleware_Twice(t *testing.T) {
	t.Parallel()
	var got []error
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	around := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.CallToolResult); ok {
				got = append(got, r.GetError())
			}
			return res, err
		}
	}
	inner, outer := new(bytes.Buffer), new(bytes.Buffer)
	server.AddReceivingMiddleware(around, result.Middleware(logged(outer)), around, result.Middleware(logged(inner)))
	addBrokenTools(server)
	result.AddTool(server, &mcp.Tool{Name: "sold_out"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errOverLimit.WithCause(errSoldOut)
	})
	session := testutil.Connect(t, server, nil)
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sold_out"}))
	for _, err := range got {
		require.ErrorIs(t, err, errSoldOut)
		assert.Equal(t, "Over the limit.", err.Error())
		assert.Contains(t, fmt.Sprint(slog.AnyValue(err).Resolve()), "limit_exceeded", "it is logged as it would be by itself")
	}
	assert.Len(t, got, 2)
	for _, log := range []string{inner.String(), outer.String()} {
		assert.Contains(t, log, out.Err.CorrelationID)
		assert.Contains(t, log, errSoldOut.Error())
	}
	out = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "every_keyword", Arguments: map[string]any{"no_such_argument": 1}}))
	assert.Equal(t, "no_such_argument", out.Err.Field)
}
