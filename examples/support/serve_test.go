package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serving runs the program in this process until the test stops it, and returns
// the URL that it prints, its log, and the function that interrupts it.
func serving(t *testing.T, args ...string) (url string, log *bufio.Reader, interrupt func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w, err := os.Pipe() // which holds what the test does not read
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, args, io.Discard, w)
		_ = w.Close()
	}()
	log = bufio.NewReader(r)
	line, err := log.ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "support: serving ")
	require.True(t, ok, "%q", line)
	return url, log, func() int {
		cancel()
		go func() { _, _ = io.Copy(io.Discard, log) }()
		select {
		case s := <-status:
			return s
		case <-time.After(10 * time.Second): // of a server that gets stuck
			return -1
		}
	}
}

func connect(t *testing.T, url string, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"with an open stream of events": "2025-11-25", "without": "2026-07-28"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _, interrupt := serving(t, "-http", "127.0.0.1:0")
			_, err := connect(t, url, version).ListTools(t.Context(), nil)
			require.NoError(t, err)
			assert.Zero(t, interrupt())
			_, err = net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
			assert.Error(t, err, "nobody listens any more")
		})
	}
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.Zero(t, run(ctx, []string{"-http", "127.0.0.1:0"}, io.Discard, io.Discard))
	})
}

func TestAnInterruptedServerFinishesItsCalls(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			up, err := startUpstreams()
			require.NoError(t, err)
			defer up.close()
			up.orders.misbehave(stall)
			url, _, interrupt := serving(t, "-http", "127.0.0.1:0", "-orders", up.orders.URL, "-payments", up.payments.URL)
			session := connect(t, url, version)
			answer := make(chan result.Outcome, 1)
			go func() {
				answer <- result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_customer", Arguments: json.RawMessage(answered["get_customer"])}))
			}()
			require.Eventually(t, func() bool { return len(up.orders.requests()) == 1 }, 2*time.Second, time.Millisecond)
			assert.Zero(t, interrupt())
			assert.Equal(t, toolerr.CodeTimeout, toolerr.CodeOf((<-answer).AsError()))
		})
	}
}

func TestTheAddressInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	var stderr strings.Builder
	assert.Equal(t, 1, run(t.Context(), []string{"-http", listener.Addr().String()}, io.Discard, &stderr))
	assert.Regexp(t, `^support: cannot listen on 127\.0\.0\.1:\d+: [^\n]+\n$`, stderr.String())
}

func TestTheAddressThatIsPrinted(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		":0":          `^http://127\.0\.0\.1:\d+/mcp$`,
		"127.0.0.1:0": `^http://127\.0\.0\.1:\d+/mcp$`,
		"localhost:0": `^http://(127\.0\.0\.1|\[::1\]):\d+/mcp$`,
		"0.0.0.0:0":   `^http://127\.0\.0\.1:\d+/mcp$`,
	} {
		url, _, interrupt := serving(t, "-http", addr)
		assert.Regexp(t, want, url, addr)
		_, err := connect(t, url, "").ListTools(t.Context(), nil)
		require.NoError(t, err, addr)
		assert.Zero(t, interrupt(), addr)
	}
}

// TestTheClientsTimeoutEndsTheCall looks at the server's log: the tool would
// otherwise fail with the timeout of its own.
func TestTheClientsTimeoutEndsTheCall(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			url, log, interrupt := serving(t, "-http", "127.0.0.1:0", "-fault", "get_customer=timeout:1")
			session := connect(t, url, version)
			require.Equal(t, version, session.InitializeResult().ProtocolVersion)
			ctx, cancel := context.WithTimeout(t.Context(), upstreamTimeout/4)
			defer cancel()
			params := &mcp.CallToolParams{Name: "get_customer", Arguments: json.RawMessage(answered["get_customer"])}
			_, err := session.CallTool(ctx, params)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			record, err := log.ReadString('\n')
			require.NoError(t, err)
			assert.Contains(t, record, "error.code=canceled")
			assert.Equal(t, result.KindData, result.Parse(session.CallTool(t.Context(), params)).Kind, "the session lives on")
			assert.Zero(t, interrupt())
		})
	}
}

func TestForeignPages(t *testing.T) {
	t.Parallel()
	url, _, interrupt := serving(t, "-http", "127.0.0.1:0")
	for name, change := range map[string]func(*http.Request){
		"a host name that leads here": func(r *http.Request) { r.Host = "rebound.example" },
		"a page of another site":      func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		change(r)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, name)
	}
	assert.Zero(t, interrupt())
}

// TestCountsOverHTTP is what an operator sees of the failures of a running server.
func TestCountsOverHTTP(t *testing.T) {
	t.Parallel()
	url, _, interrupt := serving(t, "-http", "127.0.0.1:0", "-fault", "get_customer=denied:2", "-fault", "lookup_order=throttle:1")
	session := connect(t, url, "")
	for range 3 {
		for _, tool := range []string{"get_customer", "lookup_order"} {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(answered[tool])})
			require.NoError(t, err)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(url, "/mcp")+"/counts", http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	counts, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.JSONEq(t, `{"calls":6,"failed":3,"failures":[
		{"tool":"get_customer","errorCategory":"permission","code":"permission_denied","count":2},
		{"tool":"lookup_order","errorCategory":"transient","code":"rate_limited","count":1}]}`, string(counts))
	assert.Zero(t, interrupt())
}
