// Package otlp_test checks telemetry as a collector receives it, over OTLP.
package otlp_test

import (
	"compress/gzip"
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A receiver receives spans over OTLP, as a collector does.
type receiver struct {
	url string

	mu    sync.Mutex
	spans []*tracepb.Span
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := new(receiver)
	front := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body := io.Reader(req.Body)
		if req.Header.Get("Content-Encoding") == "gzip" {
			zipped, err := gzip.NewReader(body)
			if !assert.NoError(t, err) {
				return
			}
			body = zipped
		}
		raw, err := io.ReadAll(body)
		var request collector.ExportTraceServiceRequest
		if !assert.NoError(t, err) || !assert.NoError(t, proto.Unmarshal(raw, &request)) {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, resource := range request.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				r.spans = append(r.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(front.Close)
	r.url = front.URL
	return r
}

// provider returns the tracer provider of a process that exports to the receiver.
func (r *receiver) provider(t *testing.T) *sdktrace.TracerProvider {
	t.Helper()
	exporter, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(r.url+"/v1/traces"))
	require.NoError(t, err)
	p := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	t.Cleanup(func() { _ = p.Shutdown(context.WithoutCancel(t.Context())) })
	return p
}

// find returns the spans with a name and a kind, by start.
func (r *receiver) find(name string, kind tracepb.Span_SpanKind) (list []*tracepb.Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		if s.GetName() == name && s.GetKind() == kind {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *tracepb.Span) int {
		return int(a.GetStartTimeUnixNano()) - int(b.GetStartTimeUnixNano())
	})
	return list
}

// TestTrace has an agent whose tool's upstream is unavailable twice: a collector sees one trace, with a
// client's and a server's span for each attempt, and below it the request of the upstream.
func TestTrace(t *testing.T) {
	t.Parallel()
	r, w3c := newReceiver(t), propagation.TraceContext{}
	failures := 2
	upstream := httptest.NewServer(otelhttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if failures--; failures >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), "orders", otelhttp.WithTracerProvider(r.provider(t)), otelhttp.WithPropagators(w3c)))
	t.Cleanup(upstream.Close)

	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "v1"}, nil)
	ofServer := r.provider(t)
	server.AddReceivingMiddleware(mcpotel.Receiving(&mcpotel.Options{TracerProvider: ofServer}),
		result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	client := &http.Client{Transport: otelhttp.NewTransport(nil, otelhttp.WithTracerProvider(ofServer),
		otelhttp.WithPropagators(w3c))}
	tool := &mcp.Tool{Name: "lookup_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	result.AddTool(server, tool, func(
		ctx context.Context, _ *mcp.CallToolRequest, _ struct{},
	) (*mcp.CallToolResult, any, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, upstream.URL, nil)
		if err != nil {
			return nil, nil, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return nil, nil, err
		}
		defer func() { _ = resp.Body.Close() }()
		if e := toolerr.FromResponse(resp); e != nil {
			return nil, nil, e
		}
		return nil, map[string]string{"order": "ORD-1"}, nil
	})
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(front.Close)

	ofAgent := r.provider(t)
	agent := &retry.Client{
		Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 1e6},
		Connect: func(ctx context.Context) (retry.ClientSession, error) {
			c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
			c.AddSendingMiddleware(mcpotel.Sending(&mcpotel.Options{TracerProvider: ofAgent}))
			return c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: front.URL}, nil)
		},
	}
	t.Cleanup(func() { _ = agent.Close() })
	ctx, step := ofAgent.Tracer("agent").Start(t.Context(), "answer the customer")
	out, _ := agent.CallTool(ctx, &mcp.CallToolParams{Name: "lookup_order"})
	step.End()
	require.NoError(t, out.AsError())
	require.NoError(t, ofAgent.ForceFlush(t.Context()))

	root := r.find("answer the customer", tracepb.Span_SPAN_KIND_INTERNAL)
	require.Len(t, root, 1)
	above := []*tracepb.Span{root[0], root[0], root[0]}
	for _, level := range []struct {
		name string
		kind tracepb.Span_SpanKind
	}{
		{"tools/call lookup_order", tracepb.Span_SPAN_KIND_CLIENT},
		{"tools/call lookup_order", tracepb.Span_SPAN_KIND_SERVER},
		{"HTTP GET", tracepb.Span_SPAN_KIND_CLIENT},
		{"GET", tracepb.Span_SPAN_KIND_SERVER},
	} {
		spans := r.find(level.name, level.kind)
		require.Len(t, spans, 3, "%s %s: one for each attempt", level.name, level.kind)
		for i, s := range spans {
			assert.Equal(t, hex.EncodeToString(root[0].GetTraceId()), hex.EncodeToString(s.GetTraceId()), "one trace")
			assert.Equal(t, hex.EncodeToString(above[i].GetSpanId()), hex.EncodeToString(s.GetParentSpanId()), "%s %s",
				level.name, level.kind)
			failed := s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR
			assert.Equal(t, i < 2, failed, "%s %s %d", level.name, level.kind, i)
		}
		above = spans
	}
}
