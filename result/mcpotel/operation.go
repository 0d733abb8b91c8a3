package mcpotel

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// An operation is one request in progress.
type operation struct {
	*instrument

	method  string
	tool    string // "" for other methods
	session mcp.Session
	span    trace.Span
	owned   bool // this package made the span
	named   bool // the span has the tool's name
	started time.Time

	mu       sync.Mutex
	measured []attribute.KeyValue // attributes of the span and the histogram
	failed   bool
	done     bool // there was an answer
	ended    bool
}

type operationKey struct{}

// isRecorded reports whether the request is recorded already, because a middleware of the
// same kind was added twice.
func (in *instrument) isRecorded(ctx context.Context, method string, req mcp.Request) bool {
	op, ok := ctx.Value(operationKey{}).(*operation)
	return ok && op.kind == in.kind && op.method == method && op.session == req.GetSession() && op.span == trace.SpanFromContext(ctx)
}

// start begins an operation with the attributes that are known at its start.
func (in *instrument) start(ctx context.Context, method string, req mcp.Request) (context.Context, *operation) {
	op := &operation{instrument: in, method: method, session: req.GetSession(), started: time.Now()}
	op.measured = append(op.measured, methodName.String(method))
	var only []attribute.KeyValue // attributes of the span alone
	name := method
	if method == methodCallTool {
		op.measured = append(op.measured, operationName.String(executeTool))
		op.tool = calledTool(req)
		if op.named = in.tools.has(op.tool); op.named {
			name += " " + op.tool
			op.measured = append(op.measured, toolName.String(op.tool))
		}
	}
	if version := protocolVersionOf(req); version != "" {
		op.measured = append(op.measured, protocolVersion.String(version))
	}
	op.measured = append(op.measured, in.network(req)...)
	if in.kind == trace.SpanKindServer { // a server chooses a client's session id, even in its answer to a call
		if id := sessionIDOf(req); id != "" && len(id) <= maxSessionID {
			only = append(only, sessionID.String(id))
		}
		if id := in.ids.read(ctx); id != "" {
			only = append(only, requestID.String(id))
		}
	}
	number := attemptOf(req)
	if number > 0 {
		only = append(only, attempt.Int(number))
	}
	attributes := slices.Concat(op.measured, only)
	if span := trace.SpanFromContext(ctx); in.standsFor(span, op, number > 0) {
		op.span = span
		span.SetAttributes(attributes...)
	} else {
		op.owned = true
		opts := []trace.SpanStartOption{trace.WithSpanKind(in.kind), trace.WithAttributes(attributes...)}
		if in.kind == trace.SpanKindServer {
			var link trace.SpanStartOption
			if ctx, link = in.extract(ctx, req); link != nil {
				opts = append(opts, link)
			}
		}
		ctx, op.span = in.tracer.Start(ctx, name, opts...)
	}
	return context.WithValue(ctx, operationKey{}, op), op
}

// answered adds the attributes of the answer.
func (op *operation) answered(res mcp.Result, err error) {
	if list, ok := res.(*mcp.ListToolsResult); ok && list != nil && op.method == methodListTools {
		op.tools.learn(list)
	}
	op.add(op.classify(res, err)...)
	op.done = true
	if op.method != methodCallTool {
		return
	}
	if !op.named && exists(res, err, op.kind) && op.tools.add(op.tool) {
		op.add(toolName.String(op.tool))
		if op.owned {
			op.span.SetName(op.method + " " + op.tool)
		}
	}
	if op.kind == trace.SpanKindServer && !isStructured(res, err) {
		op.misplaced.Do(func() {
			op.opts.logger().Warn("mcpotel saw a failed tool call before it was structured: add mcpotel.Receiving outside result.Middleware, "+
				"in the same call of AddReceivingMiddleware and before it", string(methodName), methodCallTool)
		})
	}
}

// add adds attributes to the span and the histogram, unless it has ended.
func (op *operation) add(attributes ...attribute.KeyValue) {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.ended {
		return
	}
	op.measured = append(op.measured, attributes...)
	for _, a := range attributes {
		op.failed = op.failed || a.Key == errorType
	}
	op.span.SetAttributes(attributes...)
}

// end ends the operation. Without an answer the handler has panicked.
func (op *operation) end(ctx context.Context) {
	if !op.done {
		op.add(errorType.String(other))
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	op.ended = true // a transport may still send a request that was abandoned
	if op.failed {
		op.span.SetStatus(codes.Error, "")
	}
	op.durations.Record(ctx, time.Since(op.started).Seconds(), metric.WithAttributes(op.measured...))
	if op.owned {
		op.span.End()
	}
}
