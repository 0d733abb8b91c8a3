package mcpotel

import (
	"log/slog"
	"net"
	"reflect"
	"runtime/debug"
	"strconv"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Options configures [Receiving] and [Sending]. The zero value and nil are good defaults.
type Options struct {
	// TracerProvider makes the spans. If nil, the global one is used.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the histograms. If nil, the global one is used.
	MeterProvider metric.MeterProvider
	// Propagator reads and writes the trace context in _meta. If nil, the global one is used, or
	// W3C's traceparent and tracestate if no global one is set.
	Propagator propagation.TextMapPropagator
	// Codes lists codes to record in addition to those of package toolerr. [Receiving] also records
	// the first hundred other codes that its server sends, if they are words in snake_case. All
	// other codes are recorded as _OTHER, because a server may send any; the log says so once.
	Codes []toolerr.Code
	// ResourceURIs records the URIs of resources in spans, except those over 512 bytes. They are
	// arguments: set it only if they contain nothing private.
	ResourceURIs bool
	// ServerAddress is the host, or the host and port, of the server that [Sending] calls. If
	// empty, it is not recorded.
	ServerAddress string
	// NetworkTransport is the network.transport attribute (tcp, quic, unix or pipe) of requests
	// that are not recognized as HTTP; a client recognizes HTTP by the session id. If empty, it is
	// pipe for requests that a server receives, and omitted otherwise.
	NetworkTransport string
	// Logger gets a warning if Receiving is not outside result.Middleware, for the first unknown
	// code, and for a histogram that cannot be made. If nil, slog.Default() is used.
	Logger *slog.Logger
}

// version returns the version of this module in the program, or "".
var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, module := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if module.Path == scope {
			return module.Version
		}
	}
	return ""
})

// address returns the attributes of ServerAddress.
func (o *Options) address() []attribute.KeyValue {
	host, port, err := net.SplitHostPort(o.ServerAddress)
	if err != nil {
		host = o.ServerAddress
	}
	if host == "" {
		return nil
	}
	list := []attribute.KeyValue{serverAddress.String(host)}
	if n, err := strconv.Atoi(port); err == nil {
		list = append(list, serverPort.Int(n))
	}
	return list
}

func (o *Options) tracer() trace.Tracer {
	p := o.TracerProvider
	if p == nil {
		p = otel.GetTracerProvider()
	}
	return p.Tracer(scope, trace.WithInstrumentationVersion(version()), trace.WithSchemaURL(semconv.SchemaURL))
}

func (o *Options) meter() metric.Meter {
	p := o.MeterProvider
	if p == nil {
		p = otel.GetMeterProvider()
	}
	return p.Meter(scope, metric.WithInstrumentationVersion(version()), metric.WithSchemaURL(semconv.SchemaURL))
}

// unsetPropagator is the global propagator until a program sets one.
var unsetPropagator = otel.GetTextMapPropagator()

// propagator returns the propagator for a request. A program may set the global one after it has
// installed the middleware.
func (o *Options) propagator() propagation.TextMapPropagator {
	if o.Propagator != nil {
		return o.Propagator
	}
	global := otel.GetTextMapPropagator()
	if reflect.TypeOf(global).Kind() == reflect.Pointer && global == unsetPropagator {
		return propagation.TraceContext{}
	}
	return global
}

func (o *Options) logger() *slog.Logger {
	if o.Logger != nil {
		return o.Logger
	}
	return slog.Default()
}
