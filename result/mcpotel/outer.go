package mcpotel

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// A readable is a span of OpenTelemetry's SDK, of which the API shows less.
type readable interface {
	Attributes() []attribute.KeyValue
	SpanKind() trace.SpanKind
}

// standsFor reports whether a span that is already there describes the same request: one
// of our kind, method and tool, or an agent framework's execution of the tool. That stands
// for all attempts at a call, so that a single attempt has a span of its own.
func (in *instrument) standsFor(span trace.Span, op *operation, isAttempt bool) bool {
	s, ok := span.(readable)
	if !ok || !span.IsRecording() {
		return false
	}
	var method, operation, tool string
	for _, a := range s.Attributes() {
		switch a.Key {
		case methodName:
			method = a.Value.AsString()
		case operationName:
			operation = a.Value.AsString()
		case toolName:
			tool = a.Value.AsString()
		}
	}
	switch {
	case tool != op.tool:
		return false
	case method != "":
		return method == op.method && s.SpanKind() == in.kind
	}
	return in.kind == trace.SpanKindClient && operation == executeTool && tool != "" && !isAttempt
}
