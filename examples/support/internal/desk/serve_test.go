package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serveStalled runs a server whose order service stalls, and calls get_customer until that is reached.
func serveStalled(
	t *testing.T, version, timeout string,
) (s *mcp.ClientSession, log *bufio.Reader, cancel func(), answer chan result.Outcome, interrupt func() int) {
	t.Helper()
	up, err := startUpstreams()
	require.NoError(t, err)
	t.Cleanup(up.close)
	up.orders.misbehave(stall)
	url, log, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-orders", up.orders.URL, "-payments",
		up.payments.URL, "-timeout", timeout)
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

// TestServe_ClientLeaves looks at the server's log: the tool would otherwise wait for an hour.
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
			assert.Contains(t, record, "toolerr.code=canceled")
			assert.Equal(t, result.KindData, callAnswered(t.Context(), session, "get_customer").Kind, "the session lives on")
			assert.Zero(t, interrupt())
		})
	}
}

// TestServe_Counts reads the counts of a running server, as an operator does.
func TestServe_Counts(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-fault", "get_customer=denied:2", "-fault",
		"lookup_order=throttle:1")
	session := harnesstest.Connect(t, url, "")
	for range 3 {
		for _, tool := range []string{"get_customer", "lookup_order"} {
			require.NotNil(t, callAnswered(t.Context(), session, tool).Result)
		}
	}
	var counts []CallCount
	require.NoError(t, json.Unmarshal(get(t, strings.TrimSuffix(url, "/mcp")+"/counts"), &counts))
	assert.Equal(t, []CallCount{
		{Tool: "get_customer", Kind: "data", Count: 1},
		{
			Tool: "get_customer", Kind: "failure", Category: toolerr.CategoryPermission, Code: toolerr.CodePermissionDenied,
			Effect: toolerr.EffectNone, Count: 2,
		},
		{Tool: "lookup_order", Kind: "data", Count: 2},
		{
			Tool: "lookup_order", Kind: "failure", Category: toolerr.CategoryTransient, Code: toolerr.CodeRateLimited,
			Effect: toolerr.EffectNone, Count: 1,
		},
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

// prometheus is the program, such as Debian's package of that name has it.
var prometheus = flag.String("prometheus", "", "scrape the server with this `program`")

// A real Prometheus reads the counts of a running server: per tool, its calls, the share
// of them that failed, and the kinds of failure.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	if *prometheus == "" {
		// It is a program of another project, which .ci/weekly installs.
		t.Skip("without -prometheus PROGRAM")
	}
	server, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-fault", "get_customer=denied:2")
	session := harnesstest.Connect(t, server, "")
	for range 4 {
		require.NotNil(t, callAnswered(t.Context(), session, "get_customer").Result)
	}
	p := harnesstest.StartPrometheus(t, *prometheus, map[string]string{"support": server})
	for query, want := range map[string]string{
		`sum(toolerr_calls_total{gen_ai_tool_name="get_customer"})`:                                                                          "4",
		`sum by (toolerr_category, toolerr_code) (toolerr_calls_total{toolerr_kind="failure"})`:                                              "2",
		`sum by (gen_ai_tool_name) (toolerr_calls_total{toolerr_kind=~"failure|partial"}) / sum by (gen_ai_tool_name) (toolerr_calls_total)`: "0.5",
	} {
		assert.EventuallyWithT(t, func(c *assert.CollectT) {
			found, err := p.Query(t.Context(), query)
			assert.NoError(c, err)
			if assert.Len(c, found, 1) {
				assert.Equal(c, want, found[0].Value[1])
			}
		}, testutil.Patience, 100*time.Millisecond, query)
	}
	assert.Zero(t, interrupt())
}
