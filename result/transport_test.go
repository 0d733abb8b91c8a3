package result_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const beServer = "RESULT_TEST_BE_THE_SERVER"

// TestMain lets the test binary run as a server with all failing tools.
func TestMain(m *testing.M) {
	if os.Getenv(beServer) != "" {
		_ = newServer(new(bytes.Buffer)).Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	os.Exit(m.Run())
}

// A session id is logged unless it is too long.
func TestMiddleware_SessionID(t *testing.T) {
	t.Parallel()
	for n, isLogged := range map[int]bool{0: false, 128: true, 129: false} {
		var log bytes.Buffer
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"direct"}}`))
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		front := &mcp.StreamableServerTransport{SessionID: strings.Repeat("x", n), Stateless: true}
		session, err := newServer(&log).
			Connect(t.Context(), front, &mcp.ServerSessionOptions{State: &mcp.ServerSessionState{InitializeParams: new(
				mcp.InitializeParams)}})
		require.NoError(t, err)
		front.ServeHTTP(httptest.NewRecorder(), req)
		require.NoError(t, session.Close())
		assert.Contains(t, log.String(), "tool call failed")
		assert.Equal(t, isLogged, strings.Contains(log.String(), "mcp.session.id="+front.SessionID), n)
	}
}

// A transport answers requests by itself.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestRoundTripper checks what becomes of responses. The first line of a sample is the request's
// method and session.
func TestRoundTripper(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/responses.txt", func(sample string) string {
		request, response, _ := strings.Cut(testutil.Repeat(sample), "\n")
		method, session, _ := strings.Cut(request, " ")
		req := httptest.NewRequestWithContext(t.Context(), method, "/", http.NoBody)
		req.Header.Set("Mcp-Session-Id", session)
		resp, err := result.RoundTripper(transport(func(r *http.Request) (*http.Response, error) {
			return http.ReadResponse(bufio.NewReader(strings.NewReader(response)), r)
		})).RoundTrip(req)
		var e *toolerr.Error
		if errors.As(err, &e) {
			return testutil.Fields(e)
		} else if err != nil {
			return "error"
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return testutil.Shorten(fmt.Sprintln(resp.StatusCode, resp.ContentLength, resp.Header) + string(body))
	})
}

const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"v0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A broken connection cancels the calls. Tools whose requests end for this reason, as those of
// net/http do, have not failed, and other messages of the client are not logged.
func TestMiddleware_BrokenConnection(t *testing.T) {
	t.Parallel()
	const canceled = toolerr.CodeCanceled
	missing := toolerr.NotFound("x", "1")
	for end, lastWords := range map[string]string{
		"closed": "", "no JSON": "hunter2\n", "half": `{"jsonrpc":"2.0","hunter2`,
		"version": `{"jsonrpc":"hunter2","id":1,"method":"x"}` + "\n",
		"method":  `{"jsonrpc":"2.0","id":1,"method":{"password":"hunter2"}}` + "\n",
	} {
		for how, test := range map[string]struct {
			err  func(ctx context.Context) error
			code toolerr.Code
		}{
			"cause":      {func(ctx context.Context) error { return fmt.Errorf("Get: %w", context.Cause(ctx)) }, canceled},
			"error":      {func(ctx context.Context) error { return fmt.Errorf("select: %w", ctx.Err()) }, canceled},
			"another":    {func(context.Context) error { return errOverLimit }, errOverLimit.Code},
			"classified": {func(ctx context.Context) error { return fmt.Errorf("%w: %w", missing, ctx.Err()) }, missing.Code},
		} {
			synctest.Test(t, func(t *testing.T) {
				var codes []toolerr.Code
				var log bytes.Buffer
				opts := logged(&log)
				opts.OnCall = func(_ context.Context, call result.FinishedCall) { codes = append(codes, call.Err.Code) }
				server := serve(opts)
				h := func(ctx context.Context, _ *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, any, error) {
					<-ctx.Done()
					return nil, nil, test.err(ctx)
				}
				result.AddTool(server, &mcp.Tool{Name: "a"}, h)
				idempotency.AddTool(server, &mcp.Tool{Name: "b"}, nil, h)
				near, far := net.Pipe()
				session, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: far, Writer: far}, nil)
				require.NoError(t, err)
				go func() { _, _ = io.Copy(io.Discard, near) }()
				for i, tool := range []string{"a", "b"} {
					_, err = fmt.Fprintf(near, `%s{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`+
						"\n", handshake, i, tool)
					require.NoError(t, err)
				}
				synctest.Wait()
				_, err = io.WriteString(near, lastWords)
				require.NoError(t, err)
				require.NoError(t, near.Close())
				_ = session.Wait()
				assert.Equal(t, []toolerr.Code{test.code, test.code}, codes, "%s %s", end, how)
				assert.NotContains(t, log.String(), "hunter2", "%s %s", end, how)
			})
		}
	}
}
