package mcpotel

import (
	"context"
	"slices"
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

	recorded bool                 // by the span or the histogram
	measured []attribute.KeyValue // attributes of the span and the histogram
	failed   bool
	done     bool // there was an answer
}

type operationKey struct{}

// isRecorded reports whether the request is recorded already, because a middleware of the
// same kind was added twice.
func (in *instrument) isRecorded(ctx context.Context, method string, req mcp.Request) bool {
	op, ok := ctx.Value(operationKey{}).(*operation)
	return ok && op.kind == in.kind && op.method == method && op.session == req.GetSession() && op.span == trace.SpanFromContext(ctx)
}

// start begins an operation. The span has the attributes on which a sampler may decide from
// its start, the others if it is recorded.
func (in *instrument) start(ctx context.Context, method string, req mcp.Request) (context.Context, *operation) {
	op := &operation{instrument: in, method: method, session: req.GetSession(), started: time.Now()}
	var known *opening
	if method == methodCallTool {
		op.tool = calledTool(req)
		known = in.tools.find(op.tool)
		op.named = known != nil
	}
	if known == nil {
		known = in.opening(method, "")
	}
	number := attemptOf(req)
	if span := trace.SpanFromContext(ctx); in.standsFor(span, op, number > 0) {
		op.span = span
		span.SetAttributes(known.attributes...)
	} else {
		op.owned = true
		opts := known.options
		if in.kind == trace.SpanKindServer {
			var link trace.SpanStartOption
			if ctx, link = in.extract(ctx, req); link != nil {
				opts = append(slices.Clip(opts), link)
			}
		}
		ctx, op.span = in.tracer.Start(ctx, known.name, opts...)
	}
	if op.recorded = op.span.IsRecording() || in.durations.Enabled(ctx); !op.recorded {
		return ctx, op
	}
	op.measured = slices.Clone(known.attributes)
	if version := protocolVersionOf(req); version != "" {
		op.add(protocolVersion.String(version))
	}
	op.add(in.network(req)...)
	if in.kind == trace.SpanKindServer { // a server chooses a client's session id, even in its answer to a call
		if id := sessionIDOf(req); id != "" && len(id) <= maxSessionID {
			op.span.SetAttributes(sessionID.String(id))
		}
	}
	if number > 0 {
		op.span.SetAttributes(attempt.Int(number))
	}
	return context.WithValue(ctx, operationKey{}, op), op
}

// An opening is what spans of the same method and tool start with.
type opening struct {
	name       string
	attributes []attribute.KeyValue
	options    []trace.SpanStartOption
}

func (in *instrument) opening(method, tool string) *opening {
	o := &opening{name: method, attributes: []attribute.KeyValue{methodName.String(method)}}
	if method == methodCallTool {
		o.attributes = append(o.attributes, operationName.String(executeTool))
	}
	if tool != "" {
		o.name += " " + tool
		o.attributes = append(o.attributes, toolName.String(tool))
	}
	o.options = []trace.SpanStartOption{trace.WithSpanKind(in.kind), trace.WithAttributes(o.attributes...)}
	return o
}

// answered adds the attributes of the answer.
func (op *operation) answered(res mcp.Result, err error) {
	if list, ok := res.(*mcp.ListToolsResult); ok && list != nil && op.method == methodListTools {
		op.learn(list)
	}
	if op.recorded {
		op.add(op.classify(res, err)...)
	}
	op.done = true
	if op.method != methodCallTool {
		return
	}
	if !op.named && exists(res, err, op.kind) && op.called(op.tool) {
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

// add adds attributes to the span and the histogram.
func (op *operation) add(attributes ...attribute.KeyValue) {
	op.measured = append(op.measured, attributes...)
	for _, a := range attributes {
		op.failed = op.failed || a.Key == errorType
	}
	op.span.SetAttributes(attributes...)
}

// end ends the operation. Without an answer the handler has panicked.
func (op *operation) end(ctx context.Context) {
	if !op.recorded {
		return
	}
	if !op.done {
		op.add(errorType.String(other))
	}
	if op.failed {
		op.span.SetStatus(codes.Error, "")
	}
	op.durations.Record(ctx, time.Since(op.started).Seconds(), metric.WithAttributes(op.measured...))
	if op.owned {
		op.span.End()
	}
}
