package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
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

// Middleware around gets the cause of a failure, and a second result.Middleware does nothing.
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
	assert.Contains(t, outer.String(), out.Err.CorrelationID)
	assert.Contains(t, outer.String(), errSoldOut.Error())
	assert.Equal(t, 1, strings.Count(inner.String(), "\n"), "it says once that it does nothing")
	assert.Contains(t, inner.String(), "result.Middleware inside another one")
	out = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "every_keyword", Arguments: map[string]any{"no_such_argument": 1}}))
	assert.Equal(t, "no_such_argument", out.Err.Field)
}
