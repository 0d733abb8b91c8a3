package desk

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// drainTime is how long refunds may still take after the last answer. It is the default Grace,
// after which the handlers' contexts have ended, plus the default Lease, which limits the saving of
// an answer.
const drainTime = 20 * time.Second

// serve runs the MCP server over stdio or HTTP. Over HTTP, it also serves the numbers of calls and
// failures: as JSON at /counts, and for Prometheus at /metrics.
func (p Program) serve(ctx context.Context, opts options, stderr io.Writer) error {
	if opts.orders == "" {
		up, err := startUpstreams()
		if err != nil {
			return err
		}
		defer up.close()
		opts.orders, opts.payments = up.orders.URL, up.payments.URL
	}
	keys := &idempotency.Options{UpstreamDedupes: true} // the gateway accepts the key too
	if opts.store != "" {
		store, closeStore, err := p.OpenStore(ctx, opts.store)
		if err != nil {
			return err
		}
		defer func() { _ = closeStore() }()
		keys.Store = store
	}
	// Logs go to stderr: stdout belongs to the protocol.
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	counts := new(Counts)
	server := newServer(opts.orders, opts.payments, p.client(opts), keys,
		&result.MiddlewareOptions{Logger: logger, OnCall: counts.Add})
	if p.Receiving != nil {
		server.AddReceivingMiddleware(p.Receiving) // what is added last is outermost
	}
	metrics := cmp.Or[http.Handler](p.Metrics, counts)
	defer func() {
		if len(counts.Snapshot()) > 0 {
			logger.Info("tool calls", "counts", counts)
		}
	}()
	defer func() { // after the last answer: refunds whose callers have left
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		if keys.Drain(last) != nil {
			logger.Error("a refund is still being made; its repeat will have to be looked into")
		}
	}()
	return opts.Serve(ctx, server, harness.HTTPOptions{
		Program: "support", Stderr: stderr, Longest: opts.timeout,
		Others: map[string]http.Handler{
			"GET /metrics": metrics,
			"GET /counts": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, counts.String())
			}),
		},
	})
}
