package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serveStalled runs a server whose order service stalls, and calls get_customer until that is reached.
func serveStalled(t *testing.T, version, timeout string) (s *mcp.ClientSession, log *bufio.Reader, cancel func(), answer chan result.Outcome, interrupt func() int) {
	t.Helper()
	up, err := startUpstreams()
	require.NoError(t, err)
	t.Cleanup(up.close)
	up.orders.misbehave(stall)
	url, log, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-orders", up.orders.URL, "-payments", up.payments.URL, "-timeout", timeout)
	s = harnesstest.Connect(t, url, version)
	require.Equal(t, version, s.InitializeResult().ProtocolVersion)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	answer = make(chan result.Outcome, 1)
	reached := func() bool { return len(up.orders.requests()) > 0 }
	go func() {
		out := callAnswered(ctx, s, "get_customer")
		for !reached() && ctx.Err() == nil { // too slow for the timeout
			out = callAnswered(ctx, s, "get_customer")
		}
		answer <- out
	}()
	require.Eventually(t, reached, testutil.Patience, time.Millisecond)
	return s, log, cancel, answer, interrupt
}

func TestServe_FinishesCalls(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			_, _, _, answer, interrupt := serveStalled(t, version, "1s")
			assert.Zero(t, interrupt())
			assert.Equal(t, toolerr.CodeTimeout, toolerr.CodeOf((<-answer).AsError()))
		})
	}
}

// A storeAtEnd is shared by two servers, and says whether a call has ended.
type storeAtEnd struct {
	idempotency.Store

	ended atomic.Bool
}

func (s *storeAtEnd) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	err := s.Store.Finish(ctx, id, owner, end)
	s.ended.Store(true)
	return err
}

// A server that is asked to end while a refund is made for a caller who has left stores the
// answer before it ends, and the next server gives it to the repeat.
func TestServe_StoresAnswers(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			testStoresAnswers(t, version)
		})
	}
}

func testStoresAnswers(t *testing.T, version string) {
	t.Helper()
	up, err := startUpstreams()
	require.NoError(t, err)
	t.Cleanup(up.close)
	target, err := url.Parse(up.payments.URL)
	require.NoError(t, err)
	reached, release := make(chan bool, 1), make(chan bool)
	slow := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		select {
		case reached <- true:
			<-release
		default: // later requests
		}
	}})
	t.Cleanup(slow.Close)
	store := &storeAtEnd{Store: new(idempotency.MemoryStore)}
	open := func(context.Context, string) (idempotency.Store, func() error, error) {
		return store, func() error { return nil }, nil
	}
	start := func() (session *mcp.ClientSession, interrupt func() int) {
		url, _, interrupt := harnesstest.Serve(t, Program{OpenStore: open}.Run, "-http", "127.0.0.1:0", "-orders", up.orders.URL,
			"-payments", slow.URL, "-timeout", "1h", "-store", "shared")
		return harnesstest.Connect(t, url, version), interrupt
	}
	refund := &mcp.CallToolParams{Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": 40, "idempotency_key": "k"}}
	ctx, leave := context.WithCancel(t.Context())
	session, interrupt := start()
	left := make(chan error, 1)
	go func() { left <- result.Parse(session.CallTool(ctx, refund)).AsError() }()
	<-reached
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	time.AfterFunc(300*time.Millisecond, func() { close(release) })
	assert.Zero(t, interrupt())
	assert.True(t, store.ended.Load(), "the answer is stored before the server ends")
	session, interrupt = start()
	out := result.Parse(session.CallTool(t.Context(), refund))
	require.NoError(t, out.AsError())
	assert.Contains(t, out.Text(), "refund_id")
	assert.Len(t, up.payments.find("ORD-7", "k"), 1)
	assert.Zero(t, interrupt())
}

// TestServe_ClientLeaves looks at the server's log: the tool would otherwise wait for an
// hour.
func TestServe_ClientLeaves(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			session, log, cancel, answer, interrupt := serveStalled(t, version, "1h")
			cancel()
			require.ErrorIs(t, (<-answer).AsError(), context.Canceled)
			record, err := log.ReadString('\n')
			require.NoError(t, err)
			assert.Contains(t, record, "error.code=canceled")
			assert.Equal(t, result.KindData, callAnswered(t.Context(), session, "get_customer").Kind, "the session lives on")
			assert.Zero(t, interrupt())
		})
	}
}

// TestServe_Counts reads the counts of a running server, as an operator does.
func TestServe_Counts(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-fault", "get_customer=denied:2", "-fault", "lookup_order=throttle:1")
	session := harnesstest.Connect(t, url, "")
	for range 3 {
		for _, tool := range []string{"get_customer", "lookup_order"} {
			require.NotNil(t, callAnswered(t.Context(), session, tool).Result)
		}
	}
	var counts []result.CallCount
	require.NoError(t, json.Unmarshal(get(t, strings.TrimSuffix(url, "/mcp")+"/counts"), &counts))
	assert.Equal(t, []result.CallCount{
		{Tool: "get_customer", Kind: "data", Count: 1},
		{Tool: "get_customer", Kind: "failure", Category: toolerr.CategoryPermission, Code: toolerr.CodePermissionDenied, Effect: toolerr.EffectNone, Count: 2},
		{Tool: "lookup_order", Kind: "data", Count: 2},
		{Tool: "lookup_order", Kind: "failure", Category: toolerr.CategoryTransient, Code: toolerr.CodeRateLimited, Effect: toolerr.EffectNone, Count: 1},
	}, counts)
	metrics := string(get(t, strings.TrimSuffix(url, "/mcp")+"/metrics"))
	assert.Contains(t, metrics, `toolerr_calls_total{gen_ai_tool_name="lookup_order",toolerr_kind="data",`)
	assert.Zero(t, interrupt())
}

// get returns what is served at a URL.
func get(t *testing.T, url string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return body
}
