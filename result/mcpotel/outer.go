package mcpotel

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// A readable is a span of OpenTelemetry's SDK, which exposes more than the API.
type readable interface {
	Attributes() []attribute.KeyValue
	SpanKind() trace.SpanKind
}

// standsFor reports whether an existing span describes the same request: it has the same kind,
// method and tool, or is an agent framework's execution of the tool. A framework's span covers all
// attempts of package retry, so each attempt gets its own span.
func (in *instrument) standsFor(span trace.Span, op *operation, isAttempt bool) bool {
	s, ok := span.(readable)
	if !ok || !span.IsRecording() {
		return false
	}
	var method, operation, tool, prompt string
	for _, a := range s.Attributes() {
		switch a.Key {
		case methodName:
			method = a.Value.AsString()
		case operationName:
			operation = a.Value.AsString()
		case toolName:
			tool = a.Value.AsString()
		case promptName:
			prompt = a.Value.AsString()
		}
	}
	switch {
	case tool+prompt != op.target:
		return false
	case method != "":
		return method == op.method && s.SpanKind() == in.kind
	}
	return in.kind == trace.SpanKindClient && operation == executeTool && tool != "" && !isAttempt
}
