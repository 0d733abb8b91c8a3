package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// countDecisions returns a function for [retry.Policy.OnDecision] that counts the decisions by
// tool, action and reason. They include retries and exhausted budgets. The agent must call only
// tools that its server has: a model may make up any number of names.
func countDecisions(registry prometheus.Registerer) func(result.Outcome, retry.Decision) {
	decisions := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "toolerr_decisions_total",
		Help: "Decisions about the outcomes of tool calls.",
	},
		[]string{"gen_ai_tool_name", "toolerr_action", "toolerr_reason"})
	registry.MustRegister(decisions)
	return func(_ result.Outcome, d retry.Decision) {
		decisions.WithLabelValues(d.Tool, d.Action.String(), string(d.Reason)).Inc()
	}
}

// calls lists the calls that the agent makes in turn.
var calls = []*mcp.CallToolParams{
	{Name: "get_customer", Arguments: map[string]any{"customer_id": "CUS-10001"}},
	{Name: "lookup_order", Arguments: map[string]any{"customer_id": "CUS-10001"}},
	{Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": 40}}, // the client adds a key
	{Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-8", "amount": 650}},
	{Name: "escalate_to_human", Arguments: map[string]any{"reason": "A refund of $650 needs an approval."}},
}

// runAgent calls a server's tools, and serves the counts of package retry's decisions at /metrics.
func runAgent(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	server, addr := "", ""
	flags.Func("server", "the support server's `URL`", harness.URL(&server, "http://127.0.0.1:8080/mcp"))
	flags.StringVar(&addr, "http", "127.0.0.1:8081", "serve /metrics on `ADDR`")
	every := flags.Duration("every", time.Second, "the pause between two calls")
	err := harness.ParseFlagsOnly(flags, args, "Usage: telemetry agent -server URL [-http ADDR] [-every T]", stdout)
	if err == nil && server == "" {
		err = errors.New("-server URL is missing, such as http://127.0.0.1:8080/mcp")
	}
	if err != nil {
		return harness.UsageStatus("agent", err, stderr)
	}
	return harness.Status("agent", work(ctx, server, addr, *every, stderr), stderr)
}

// work makes calls until the context ends.
func work(ctx context.Context, server, addr string, every time.Duration, stderr io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	metrics := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = metrics.Serve(listener) }()
	defer func() { _ = metrics.Close() }()
	_, _ = fmt.Fprintf(stderr, "agent: serving http://%s/metrics\n", listener.Addr())

	client := &retry.Client{
		Connect: func(ctx context.Context) (retry.ClientSession, error) {
			return mcp.NewClient(&mcp.Implementation{Name: "support-agent"}, nil).
				Connect(ctx, &mcp.StreamableClientTransport{Endpoint: server}, nil)
		},
		Policy: retry.Policy{OnDecision: countDecisions(registry), Logger: slog.New(slog.NewTextHandler(stderr, nil))},
		Safety: retry.SafetyOf,
	}
	defer func() { _ = client.Close() }()
	for i := 0; ; i++ {
		client.CallTool(ctx, calls[i%len(calls)])
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return nil
		}
	}
}
