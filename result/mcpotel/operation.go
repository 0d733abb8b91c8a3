package mcpotel

import (
	"context"
	"slices"
	"strings"
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
	target  string // the name of the tool or prompt, or ""
	session mcp.Session
	span    trace.Span
	owned   bool // this package made the span
	named   bool // the span has the target's name
	started time.Time

	recorded bool                 // the span or the histogram records it
	measured []attribute.KeyValue // attributes of the span and the histogram
	failed   bool
	done     bool // there was an answer
}

type operationKey struct{}

// isRecorded reports whether an outer middleware of the same kind already records the request.
func (in *instrument) isRecorded(ctx context.Context, method string, req mcp.Request) bool {
	op, ok := ctx.Value(operationKey{}).(*operation)
	return ok && op.kind == in.kind && op.method == method && op.session == req.GetSession() &&
		op.span == trace.SpanFromContext(ctx)
}

// start begins an operation. The span starts with the attributes that a sampler may need, and gets
// the others if the operation is recorded.
func (in *instrument) start(ctx context.Context, method string, req mcp.Request) (context.Context, *operation) {
	op := &operation{instrument: in, method: method, session: req.GetSession(), started: time.Now()}
	var known *opening
	var uri string
	if op.target, uri = target(req); op.target != "" {
		known = in.names.find(method, op.target)
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
	op.add(in.address...)
	if in.opts.ResourceURIs && uri != "" && len(uri) <= maxURI {
		op.span.SetAttributes(resourceURI.String(strings.ToValidUTF8(uri, "")))
	}
	// not on a client, where the server chooses the id, even in its answer to a call
	if in.kind == trace.SpanKindServer && isServer(req) && isStateful(req) {
		if id := sessionIDOf(req); id != "" && len(id) <= maxSessionID {
			op.span.SetAttributes(sessionID.String(id))
		}
	}
	if number > 0 {
		op.span.SetAttributes(attempt.Int(number))
	}
	return context.WithValue(ctx, operationKey{}, op), op
}

// An opening holds the initial values of spans of the same method and target.
type opening struct {
	name       string
	attributes []attribute.KeyValue
	options    []trace.SpanStartOption
}

func (in *instrument) opening(method, target string) *opening {
	o := &opening{name: method, attributes: []attribute.KeyValue{methodName.String(method)}}
	if method == methodCallTool {
		o.attributes = append(o.attributes, operationName.String(executeTool))
	}
	if target != "" {
		o.name += " " + target
		o.attributes = append(o.attributes, nameOf(method).String(target))
	}
	o.options = []trace.SpanStartOption{trace.WithSpanKind(in.kind), trace.WithAttributes(o.attributes...)}
	return o
}

// nameOf returns the attribute for the target of a method.
func nameOf(method string) attribute.Key {
	if method == methodGetPrompt {
		return promptName
	}
	return toolName
}

// answered adds the attributes of the answer, and learns the names in it.
func (op *operation) answered(res mcp.Result, err error) {
	if err == nil {
		op.learn(res)
	}
	if op.recorded {
		op.add(op.classify(res, err)...)
	}
	op.done = true
	if op.target == "" {
		return
	}
	if !op.named && exists(res, err, op.kind) && op.called(op.method, op.target) {
		op.add(nameOf(op.method).String(op.target))
		if op.owned {
			op.span.SetName(op.method + " " + op.target)
		}
	}
	if op.method == methodCallTool && op.kind == trace.SpanKindServer && !isStructured(res, err) {
		op.misplaced.Do(func() {
			op.opts.logger().Warn("mcpotel saw a failed tool call before it was structured: add mcpotel.Receiving outside "+
				"result.Middleware, "+
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

// end ends the operation. If it was not answered, the handler has panicked.
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
