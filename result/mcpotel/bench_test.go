package mcpotel_test

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestReceiving_NotSetUp checks that a call costs little where OpenTelemetry is not set up. Its API
// alone makes three allocations for a span.
func TestReceiving_NotSetUp(t *testing.T) {
	for name, res := range map[string]*mcp.CallToolResult{
		"success": result.OK("x"),
		"failure": result.Failure(toolerr.LimitExceeded("m", "c")),
	} {
		next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return res, nil }
		handle := mcpotel.Receiving(nil)(next)
		var req mcp.Request = &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "t"}}
		allocs.AtMost(t, 4, func() { _, _ = handle(t.Context(), "tools/call", req) }, name)
	}
}

// TestReceiving_PropagatorSetLater checks that baggage arrives although main sets the global
// propagator after it has installed the middleware.
func TestReceiving_PropagatorSetLater(t *testing.T) {
	var got string
	handle := mcpotel.Receiving(nil)(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) {
		got = baggage.FromContext(ctx).Member("tenant").Value()
		return result.OK("x"), nil
	})
	before := otel.GetTextMapPropagator()
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	defer otel.SetTextMapPropagator(before)
	params := &mcp.CallToolParamsRaw{Name: "t", Meta: mcp.Meta{"baggage": "tenant=7"}}
	_, err := handle(t.Context(), "tools/call", &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: params})
	require.NoError(t, err)
	assert.Equal(t, "7", got)
}

// The server's cost of a call: with result.Middleware alone, with OpenTelemetry that is not
// configured, and with its SDK, which samples every call and exports none.
func BenchmarkReceiving(b *testing.B) {
	quiet := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard,
		&slog.HandlerOptions{Level: slog.LevelError + 1}))})
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "t"}}}
	refused := toolerr.LimitExceeded("m", "c")
	sdk := mcpotel.Receiving(&mcpotel.Options{
		TracerProvider: sdktrace.NewTracerProvider(),
		MeterProvider:  metric.NewMeterProvider(metric.WithReader(metric.NewManualReader())),
	})
	for name, answer := range map[string]func() (mcp.Result, error){
		"success": func() (mcp.Result, error) { return result.OK("x"), nil },
		"failure": func() (mcp.Result, error) { return nil, refused },
	} {
		inner := quiet(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				return list, nil
			}
			return answer()
		})
		for how, handle := range map[string]mcp.MethodHandler{
			"alone": inner, "not set up": mcpotel.Receiving(nil)(inner),
			"sdk": sdk(inner),
		} {
			b.Run(name+"/"+how, func(b *testing.B) {
				b.ReportAllocs()
				req := &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "t"}}
				for b.Loop() {
					if _, err := handle(context.Background(), "tools/call", req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
