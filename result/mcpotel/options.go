package mcpotel

import (
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Options configures [Receiving] and [Sending]. The zero value, and a nil pointer, are
// good options.
type Options struct {
	// TracerProvider makes the spans. If nil, it is the global one.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the histogram. If nil, it is the global one.
	MeterProvider metric.MeterProvider
	// Propagator reads and writes the trace's context in _meta. If nil, it is the global
	// one; if that is not set, W3C's traceparent and tracestate.
	Propagator propagation.TextMapPropagator
	// Codes are codes of the author's own that telemetry may have, besides those of
	// package toolerr. Others are _OTHER, since a server may send any.
	Codes []toolerr.Code
	// NetworkTransport is network.transport of requests that show no other: tcp, quic,
	// unix or pipe. Requests over HTTP show it, and those of a client with [Transport].
	// If empty, it is pipe for what a server receives without HTTP, which is stdio unless
	// the transport is the author's own, and else left out.
	NetworkTransport string
	// Logger is told once if Receiving is not outside of result.Middleware. If nil, it is
	// slog.Default().
	Logger *slog.Logger
}

func (o *Options) tracer() trace.Tracer {
	p := o.TracerProvider
	if p == nil {
		p = otel.GetTracerProvider()
	}
	return p.Tracer(scope)
}

func (o *Options) meter() metric.Meter {
	p := o.MeterProvider
	if p == nil {
		p = otel.GetMeterProvider()
	}
	return p.Meter(scope)
}

func (o *Options) propagator() propagation.TextMapPropagator {
	p := o.Propagator
	if p == nil {
		p = otel.GetTextMapPropagator()
	}
	if len(p.Fields()) == 0 {
		p = propagation.TraceContext{}
	}
	return p
}

func (o *Options) logger() *slog.Logger {
	if o.Logger != nil {
		return o.Logger
	}
	return slog.Default()
}
