package mcpotel_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Both ends of a call, as their spans show it.
func Example() {
	spans := tracetest.NewInMemoryExporter()
	opts := &mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}

	server := mcp.NewServer(&mcp.Implementation{Name: "refunds", Version: "v1"}, nil)
	server.AddReceivingMiddleware(mcpotel.Receiving(opts), result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	result.AddTool(server, &mcp.Tool{Name: "process_refund"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.", "A colleague has to approve this refund.")
	})

	ctx := context.Background()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	client.AddSendingMiddleware(retry.Middleware(retry.Policy{}, nil), mcpotel.Sending(opts))
	session, err := client.Connect(ctx, mcpotel.Transport(clientSide), nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "process_refund"}); err != nil {
		log.Fatal(err)
	}
	for _, span := range spans.GetSpans() {
		if span.Name != "tools/call process_refund" {
			continue
		}
		fmt.Println(span.Name, span.SpanKind)
		for _, a := range span.Attributes {
			switch a.Key {
			case "error.type", "toolerr.category", "toolerr.code", "toolerr.effect", "toolerr.attempt":
				fmt.Printf("\t%s=%v\n", a.Key, a.Value.AsInterface())
			}
		}
	}
	// Output:
	// tools/call process_refund server
	// 	toolerr.attempt=1
	// 	error.type=tool_error
	// 	toolerr.category=business
	// 	toolerr.code=limit_exceeded
	// 	toolerr.effect=none
	// tools/call process_refund client
	// 	toolerr.attempt=1
	// 	error.type=tool_error
	// 	toolerr.category=business
	// 	toolerr.code=limit_exceeded
	// 	toolerr.effect=none
}
