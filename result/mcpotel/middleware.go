package mcpotel

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Receiving records the requests that a server receives, as spans of kind SERVER and in
// mcp.server.operation.duration. Install it outside [result.Middleware], that is, before it in the
// same call:
//
//	server.AddReceivingMiddleware(mcpotel.Receiving(nil), result.Middleware(nil))
//
// On a client, Receiving records the requests from the server. It is safe for concurrent use.
func Receiving(opts *Options) mcp.Middleware {
	return middleware(opts, trace.SpanKindServer, "mcp.server.operation.duration",
		"MCP request or notification duration as observed on the receiver from the time it was received until the result "+
			"or ack is sent.")
}

// Sending records the requests that a client sends, as spans of kind CLIENT and in
// mcp.client.operation.duration. It sends a span's context to the server if the request has
// parameters. Install it inside package retry's middleware, that is, after it in the same call:
//
//	client.AddSendingMiddleware(retry.Middleware(policy, safety), mcpotel.Sending(nil))
//
// On a server, Sending records the requests to its client. It is safe for concurrent use.
func Sending(opts *Options) mcp.Middleware {
	return middleware(opts, trace.SpanKindClient, "mcp.client.operation.duration",
		"The duration of the MCP request or notification as observed on the sender from the time it was sent until the "+
			"response or ack is received.")
}

func middleware(opts *Options, kind trace.SpanKind, name, description string) mcp.Middleware {
	var o Options
	if opts != nil {
		o = *opts
	}
	durations, err := o.meter().Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
		// recommended by the conventions
		metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300))
	if err != nil {
		o.logger().Warn("mcpotel records no durations", "error", err)
	}
	sessions, err := o.meter().Float64Histogram(strings.Replace(name, "operation", "session", 1), metric.WithUnit("s"),
		metric.WithDescription("The duration of the MCP session."),
		metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300))
	if err != nil {
		o.logger().Warn("mcpotel records no durations of sessions", "error", err)
	}
	in := &instrument{
		opts: o, kind: kind, tracer: o.tracer(), durations: durations, sessions: sessions,
	}
	if kind == trace.SpanKindClient {
		in.address = o.address()
	}
	in.codes = newCodes(o.Codes, kind == trace.SpanKindServer, func() {
		o.logger().Warn("mcpotel records a code as _OTHER: add it to mcpotel.Options.Codes")
	})
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return in.handle(ctx, method, req, next)
		}
	}
}

// An instrument holds the state that the requests of one middleware share.
type instrument struct {
	opts      Options
	kind      trace.SpanKind
	tracer    trace.Tracer
	durations metric.Float64Histogram
	sessions  metric.Float64Histogram
	address   []attribute.KeyValue // of the server
	codes     *knownCodes
	names     knownNames
	misplaced sync.Once
}

func (in *instrument) handle(
	ctx context.Context, method string, req mcp.Request, next mcp.MethodHandler,
) (mcp.Result, error) {
	if method == methodListen || in.isRecorded(ctx, method, req) {
		return next(ctx, method, req)
	}
	ctx, op := in.start(ctx, method, req)
	defer op.end(ctx) // also after a panic, which is not recovered
	if in.kind == trace.SpanKindClient {
		req = in.inject(ctx, req)
	}
	res, err := next(ctx, method, req)
	op.answered(res, err)
	if method == methodInitialize && err == nil {
		in.watch(ctx, req, res, op.started)
	}
	return res, err
}
