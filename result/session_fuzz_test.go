package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// fuzzed connects to a server with one tool, whose handler is the current value of handle.
func fuzzed(f *testing.F, log *bytes.Buffer) (session *mcp.ClientSession, handle *func() (*mcp.CallToolResult, error)) {
	f.Helper()
	handle = new(func() (*mcp.CallToolResult, error))
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(log, nil))}))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return (*handle)()
	})
	return testutil.Connect(f, server, nil), handle
}

// FuzzSession_Results lets a handler return arbitrary results. Each call must be answered:
// a success with a success, and a failure with an envelope.
func FuzzSession_Results(f *testing.F) {
	f.Add("It failed.", `{"error":`, "x", true, "")
	f.Add(`{"isError":true}`, `[1]`, "\xff", false, `{"a":1}`)
	f.Add("", strings.Repeat("[", 1200)+strings.Repeat("]", 1200), "", false, `{"a":NaN}`)
	session, handle := fuzzed(f, new(bytes.Buffer))
	f.Fuzz(func(t *testing.T, text, structured, meta string, isError bool, details string) {
		calls := map[string]func() (*mcp.CallToolResult, error){
			"a result": func() (*mcp.CallToolResult, error) {
				block := &mcp.TextContent{Text: text, Meta: mcp.Meta{"raw": json.RawMessage(meta)}}
				res := withStructured(json.RawMessage(structured), block)
				res.IsError, res.Meta = isError, mcp.Meta{meta: json.RawMessage(structured)}
				return res, nil
			},
			"an error": func() (*mcp.CallToolResult, error) {
				return nil, toolerr.Business(text).WithField(meta).WithDetails(map[string]any{meta: json.RawMessage(details)}).
					WithPartial(&toolerr.Partial{Results: json.RawMessage(structured)})
			},
		}
		for name, call := range calls {
			*handle = call
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
			require.False(t, out.SessionLost, "%s: %v", name, out.Err)
			require.NotNil(t, out.Result, "%s: %v", name, out.Err)
			require.True(t, utf8.ValidString(out.Text()), name)
			if out.Result.IsError {
				require.NotNil(t, out.Err, name)
				require.NotEmpty(t, out.Err.Message, name)
				require.NotEmpty(t, out.Err.CorrelationID, name)
			} else {
				require.Equal(t, "a result", name)
				require.False(t, isError)
			}
		}
	})
}

// FuzzSession_Upstream lets a handler return arbitrary upstream errors. Their words must not be
// sent.
func FuzzSession_Upstream(f *testing.F) {
	f.Add(503, "120", `{"message":"W","retry_after":"W"}`)
	f.Add(401, `Bearer error="invalid_token", error_description="W"`, "<html>W</html>")
	f.Add(429, "W", "W")
	const planted = "hunter2planted"
	session, handle := fuzzed(f, new(bytes.Buffer))
	f.Fuzz(func(t *testing.T, status int, header, body string) {
		if status < 400 || status > 599 {
			return
		}
		word := func(s string) string { return strings.ReplaceAll(s, "W", planted) }
		*handle = func() (*mcp.CallToolResult, error) { //nolint:unparam // a handler's signature
			return nil, toolerr.FromResponse(&http.Response{
				StatusCode: status, Status: word(header), Request: new(http.Request),
				Header: http.Header{"Retry-After": {word(header)}, "Www-Authenticate": {word(strings.ReplaceAll(header, "scope", ""))}, "X-Ratelimit-Reset": {word(header)}},
				Body:   io.NopCloser(strings.NewReader(word(body))),
			})
		}
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
		require.NoError(t, err)
		raw, err := json.Marshal(res)
		require.NoError(t, err)
		assert.NotContains(t, string(raw), planted)
		out := result.Parse(res, nil)
		require.Equal(t, result.KindFailure, out.Kind)
		assert.GreaterOrEqual(t, out.Err.RetryAfter.Hours(), 0.0)
	})
}
