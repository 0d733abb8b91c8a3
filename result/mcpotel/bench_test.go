package mcpotel_test

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The server's cost of a call: with result.Middleware alone, with OpenTelemetry that is not
// configured, and with its SDK, which samples every call and exports none.
func BenchmarkReceiving(b *testing.B) {
	quiet := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError + 1}))})
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "t"}}}
	refused := toolerr.LimitExceeded("m", "c")
	sdk := mcpotel.Receiving(&mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(), MeterProvider: metric.NewMeterProvider(metric.WithReader(metric.NewManualReader()))})
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
		for how, handle := range map[string]mcp.MethodHandler{"alone": inner, "not set up": mcpotel.Receiving(nil)(inner), "sdk": sdk(inner)} {
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
