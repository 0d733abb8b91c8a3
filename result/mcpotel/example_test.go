package mcpotel_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// refund calls process_refund, which fails, between a server and a client in memory.
func refund(receiving, sending []mcp.Middleware) {
	server := mcp.NewServer(&mcp.Implementation{Name: "refunds", Version: "v1"}, nil)
	server.AddReceivingMiddleware(receiving...)
	type in struct {
		Key string `json:"idempotency_key,omitempty"`
	}
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, nil,
		func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
			return nil, nil, toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.",
				"A colleague has to approve this refund.")
		})
	ctx := context.Background()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	client.AddSendingMiddleware(sending...)
	session, err := client.Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "process_refund"}); err != nil {
		log.Fatal(err)
	}
}

// show prints the spans of tool calls, with these attributes.
func show(spans *tracetest.InMemoryExporter, keys ...string) {
	for _, span := range spans.GetSpans() {
		if span.Name != "tools/call process_refund" {
			continue
		}
		fmt.Println(span.Name, span.SpanKind)
		for _, key := range keys {
			for _, a := range span.Attributes {
				if string(a.Key) == key {
					fmt.Println("  ", key, a.Value.AsInterface())
				}
			}
		}
	}
}

// A server and its client, both with OpenTelemetry.
func Example() {
	spans := tracetest.NewInMemoryExporter()
	opts := &mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
	refund(
		[]mcp.Middleware{
			mcpotel.Receiving(opts),
			result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}),
		},
		[]mcp.Middleware{retry.Middleware(retry.Policy{Logger: slog.New(slog.DiscardHandler)}, nil), mcpotel.Sending(opts)},
	)
	show(spans, "error.type", "toolerr.code", "toolerr.attempt")
	// Output:
	// tools/call process_refund server
	//    error.type tool_error
	//    toolerr.code limit_exceeded
	//    toolerr.attempt 1
	// tools/call process_refund client
	//    error.type tool_error
	//    toolerr.code limit_exceeded
	//    toolerr.attempt 1
}

func ExampleReceiving() {
	spans := tracetest.NewInMemoryExporter()
	opts := &mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
	quiet := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})
	refund([]mcp.Middleware{mcpotel.Receiving(opts), quiet}, nil)
	show(spans, "toolerr.category", "toolerr.effect", "toolerr.retryable")
	// Output:
	// tools/call process_refund server
	//    toolerr.category business
	//    toolerr.effect none
	//    toolerr.retryable false
}

// The claims of idempotency keys are told to OnCall, whose context has the span of the call.
func ExampleReceiving_claims() {
	spans := tracetest.NewInMemoryExporter()
	opts := &mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
	claims := result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		OnCall: func(ctx context.Context, call result.FinishedCall) {
			if call.Claim != "" {
				trace.SpanFromContext(ctx).SetAttributes(attribute.String("toolerr.claim", call.Claim))
			}
		},
	})
	keyed := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
				params.Arguments = []byte(`{"idempotency_key":"k"}`)
			}
			return next(ctx, method, req)
		}
	}
	refund([]mcp.Middleware{mcpotel.Receiving(opts), claims, keyed}, nil)
	show(spans, "toolerr.code", "toolerr.claim")
	// Output:
	// tools/call process_refund server
	//    toolerr.code limit_exceeded
	//    toolerr.claim claimed
}

func ExampleSending() {
	spans := tracetest.NewInMemoryExporter()
	opts := &mcpotel.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
	quiet := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})
	refund([]mcp.Middleware{quiet}, []mcp.Middleware{mcpotel.Sending(opts)})
	show(spans, "mcp.method.name", "mcp.protocol.version", "error.type")
	// Output:
	// tools/call process_refund client
	//    mcp.method.name tools/call
	//    mcp.protocol.version 2026-07-28
	//    error.type tool_error
}
