//go:build unix

package retry_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// npm is a folder in which the servers of examples/grade/testdata/servers are installed.
var npm = flag.String("npm", "", "test with the server-everything that is installed in this `folder`")

// answersOf are the answers of other SDKs' servers to an unknown session, byte for byte.
var answersOf = map[string]string{
	"go":                 "",
	"python before 1.26": "400 Bad Request\r\ndate: Fri, 27 Nov 2026 10:00:00 GMT\r\nserver: uvicorn\r\ncontent-length: 41\r\n\r\nBad Request: No valid session ID provided",
	"python": "404 Not Found\r\ndate: Fri, 27 Nov 2026 10:00:00 GMT\r\nserver: uvicorn\r\ncontent-type: application/json\r\ncontent-length: 91\r\n\r\n" +
		`{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`,
	"C#": "404 Not Found\r\nContent-Type: application/json; charset=utf-8\r\nDate: Fri, 27 Nov 2026 10:00:00 GMT\r\nServer: Kestrel\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n4f\r\n" + `{"error":{"code":-32001,"message":"Session not found"},"id":"","jsonrpc":"2.0"}` + "\r\n0\r\n\r\n",
	"affine": withBody("400 Bad Request", "application/json",
		`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID or not an initialize `+
			`request"},"id":null}`),
	"OmniRoute": withBody("404 Not Found", "application/json",
		`{"error":{"code":-32000,"message":"Not Found: Unknown Mcp-Session-Id header"}}`),
	"apollo": withBody("401 Unauthorized", "text/plain", "Unauthorized: Session not found"),
	"neotoma": withBody("503 Service Unavailable", "application/json",
		`{"jsonrpc":"2.0","error":{"code":-32000,"message":"session unavailable"},"id":null}`),
	"mcp-proxy": withBody("500 Internal Server Error", "text/plain", "Session terminated"),
	"keryx":     withBody("200 OK", "text/event-stream", "event: message\ndata: {\"error\":\"Session not found\"}\n\n"),
}

func withBody(status, kind, body string) string {
	return fmt.Sprintf("%s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		status, kind, len(body), body)
}

// mayArrive are the servers of which a refused call may have arrived, so that only a read is repeated.
var mayArrive = map[string]bool{"neotoma": true, "mcp-proxy": true, "keryx": true}

// A replacing writer sends raw bytes instead of a response with status 404.
type replacing struct {
	http.ResponseWriter
	raw      string
	replaced bool
}

func (r *replacing) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *replacing) WriteHeader(status int) {
	if r.replaced = status == http.StatusNotFound && r.raw != ""; !r.replaced {
		r.ResponseWriter.WriteHeader(status)
		return
	}
	conn, _, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		_, _ = conn.Write([]byte("HTTP/1.1 " + r.raw))
		_ = conn.Close()
	}
}

func (r *replacing) Write(p []byte) (int, error) {
	if r.replaced {
		return len(p), nil
	}
	return r.ResponseWriter.Write(p)
}

func (r *replacing) FlushError() error {
	if r.replaced {
		return nil
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// TestClient_RestartedServer restarts the SDK's own server behind a proxy that answers like other SDKs' servers, under a
// client with RoundTripper and without.
func TestClient_RestartedServer(t *testing.T) {
	t.Parallel()
	for name, raw := range answersOf {
		for _, reads := range []bool{true, false} {
			var backend *httptest.Server
			w := newWorld(gives("done"))
			restart := func() {
				if backend != nil {
					backend.CloseClientConnections()
					backend.Close()
				}
				backend = httptest.NewServer(httpHandler(w.server))
			}
			restart()
			proxy := newProxy(nil, func() string { return backend.Listener.Addr().String() })
			front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				proxy.ServeHTTP(&replacing{ResponseWriter: rw, raw: raw}, r)
			}))
			c := overHTTP(front.URL, reads)
			survives(t, c, restart, map[bool]string{false: "write", true: "read"}[mayArrive[name]], nil, name)
			assert.Equal(t, int64(4), w.calls.Load(), name)
			require.NoError(t, c.Close())
			for _, server := range []*httptest.Server{front, backend} {
				server.CloseClientConnections()
				server.Close()
			}
		}
	}
}

func overHTTP(url string, reads bool) *retry.Client {
	var transport http.RoundTripper = &http.Transport{}
	if reads {
		transport = result.RoundTripper(transport)
	}
	// With short pauses, a second restart a moment later is one, and not the same refusal again.
	c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond}}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return newClient(c.Options(nil)).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}}, nil)
	}
	return c
}

// survives makes four calls of a tool, and other requests, of a server that restarts between them.
func survives(t *testing.T, c *retry.Client, restart func(), name string, arguments map[string]any, server string) {
	t.Helper()
	session := c.AsSession()
	call := func() {
		out, d := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		if d.Action == retry.ActionVerify { // the stream of notifications, or the proxy, lost the old server before the call
			out, d = c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		}
		assert.Equal(t, retry.ActionAccept, d.Action, "%s: %v", server, out.Text())
	}
	again := func() {
		time.Sleep(20 * time.Millisecond) // for 8 ms a refusal of the new session is the same one, not a restart's
		restart()
	}
	call()
	restart()
	call()
	call()
	again()
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err, server)
	assert.NotEmpty(t, list.Tools, server)
	again()
	require.NoError(t, session.Ping(t.Context(), nil), server)
	again()
	call()
}

// TestClient_RestartedNode restarts a server on the TypeScript SDK under a client, between calls and during one.
func TestClient_RestartedNode(t *testing.T) {
	t.Parallel()
	if *npm == "" {
		return
	}
	program, err := filepath.Abs(filepath.Join(*npm, "node_modules", ".bin", "mcp-server-everything"))
	require.NoError(t, err)
	for _, reads := range []bool{true, false} {
		address, err := loopback.Unused()
		require.NoError(t, err)
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		var process *exec.Cmd
		end := func() {
			_ = process.Process.Kill()
			_ = process.Wait()
		}
		start := func() {
			process = exec.Command(program, "streamableHttp")
			process.Env = append(os.Environ(), "PORT="+port)
			assert.NoError(t, process.Start()) //nolint:testifylint // also in another goroutine
			assert.Eventually(t, func() bool {
				conn, err := net.Dial("tcp", address)
				if err == nil {
					_ = conn.Close()
				}
				return err == nil
			}, testutil.Patience, 20*time.Millisecond)
		}
		start()
		c := overHTTP("http://"+address+"/mcp", reads)
		c.Safety = nil // the tool says that it is read-only, and is not believed
		survives(t, c, func() { end(); start() }, "echo", map[string]any{"message": "hello"}, "everything")
		time.AfterFunc(time.Second, func() { end(); start() }) // the SDK tries to resume the stream of the call
		out, d := c.CallTool(t.Context(), tool("trigger-long-running-operation", map[string]any{"duration": 30, "steps": 30}))
		assert.Equal(t, retry.ActionVerify, d.Action, out.Text())
		_, d = c.CallTool(t.Context(), tool("echo", map[string]any{"message": "hello"}))
		assert.Equal(t, retry.ActionAccept, d.Action, d.Reason)
		require.NoError(t, c.Close())
		end()
	}
}
