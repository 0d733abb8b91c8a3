package mcpotel_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
)

// A recorder stores spans and metrics with the SDK's in-memory exporters.
type recorder struct {
	mcpotel.Options

	spans   *tracetest.InMemoryExporter
	metrics *metric.ManualReader
	log     *strings.Builder
}

func newRecorder() *recorder {
	r := &recorder{spans: tracetest.NewInMemoryExporter(), metrics: metric.NewManualReader(), log: new(strings.Builder)}
	r.TracerProvider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.spans))
	r.MeterProvider = metric.NewMeterProvider(metric.WithReader(r.metrics))
	r.Logger = slog.New(slog.NewTextHandler(r.log, nil))
	return r
}

// quiet is result.Middleware without a log.
func quiet() mcp.Middleware {
	return result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})
}

// serve returns a server with raw handlers, recorded outside result.Middleware.
func (r *recorder) serve(tools map[string]mcp.ToolHandler) *mcp.Server {
	server := bare(tools)
	server.AddReceivingMiddleware(mcpotel.Receiving(&r.Options), quiet())
	return server
}

func bare(tools map[string]mcp.ToolHandler) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"},
		&mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
	for name, h := range tools {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, h)
	}
	return server
}

// connect connects a client in memory, with this sending middleware.
func connect(t *testing.T, server *mcp.Server, sending ...mcp.Middleware) *mcp.ClientSession {
	t.Helper()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ss, err := server.Connect(context.WithoutCancel(t.Context()), serverSide, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = ss.Close() })
	return dial(t, clientSide, sending...)
}

func dial(t *testing.T, transport mcp.Transport, sending ...mcp.Middleware) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil)
	client.AddSendingMiddleware(sending...)
	session, err := client.Connect(context.WithoutCancel(t.Context()), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// overHTTP serves over streamable HTTP.
func overHTTP(t *testing.T, server *mcp.Server) mcp.Transport {
	t.Helper()
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(front.Close)
	return &mcp.StreamableClientTransport{Endpoint: front.URL}
}

// calls returns the spans of tool calls, by start.
func (r *recorder) calls() tracetest.SpanStubs {
	spans := slices.DeleteFunc(r.spans.GetSpans(),
		func(s tracetest.SpanStub) bool { return !strings.HasPrefix(s.Name, "tools/call") })
	slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	return spans
}

// values returns the attributes of a span by name.
func values(attributes []attribute.KeyValue) map[string]any {
	m := map[string]any{}
	for _, a := range attributes {
		m[string(a.Key)] = a.Value.AsInterface()
	}
	return m
}

// histograms returns the measurements, with a line for each set of attributes.
func (r *recorder) histograms(t *testing.T) (lines []string) {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, r.metrics.Collect(t.Context(), &all))
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			h, ok := m.Data.(metricdata.Histogram[float64])
			require.True(t, ok)
			for _, p := range h.DataPoints {
				require.Equal(t, []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}, p.Bounds)
				lines = append(lines, fmt.Sprintf("%s [%s] %d %s", m.Name, m.Unit, p.Count, texts(p.Attributes.ToSlice())))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// texts returns attributes as text, sorted by name.
func texts(attributes []attribute.KeyValue) string {
	sorted := slices.SortedFunc(slices.Values(attributes),
		func(a, b attribute.KeyValue) int { return cmp.Compare(a.Key, b.Key) })
	var b strings.Builder
	for _, a := range sorted {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value.AsInterface())
	}
	return strings.TrimSpace(b.String())
}

func ok(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return result.OK("x"), nil
}

func fails(err error) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, err }
}
