package mcpotel

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"
)

// A carrier lets a propagator read and write _meta. The MCP specification uses the keys
// traceparent, tracestate and baggage without a prefix (SEP-414).
type carrier mcp.Meta

// Get returns the string value of a key.
func (c carrier) Get(key string) string {
	s, _ := c[key].(string)
	return s
}

// Set sets a key.
func (c carrier) Set(key, value string) { c[key] = value }

// Keys returns the keys.
func (c carrier) Keys() []string { return slices.Collect(maps.Keys(c)) }

// metaOf returns the _meta of parameters, which may be nil.
func metaOf(params mcp.Params) map[string]any {
	if v := reflect.ValueOf(params); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return params.GetMeta()
}

// extract returns a context with the client's span as parent, and an option that links the ambient
// span. Without a client's span, the ambient span is the parent, and the option is nil.
func (in *instrument) extract(ctx context.Context, req mcp.Request) (context.Context, trace.SpanStartOption) {
	ambient := trace.SpanContextFromContext(ctx)
	extracted := in.opts.propagator().Extract(ctx, carrier(metaOf(req.GetParams())))
	if parent := trace.SpanContextFromContext(extracted); !parent.IsValid() || parent.Equal(ambient) ||
		!ambient.IsValid() {
		return extracted, nil
	}
	return extracted, trace.WithLinks(trace.Link{SpanContext: ambient})
}

// inject returns a copy of the request with the trace context in its _meta. The caller's
// parameters are not changed. A request without parameters is returned unchanged.
func (in *instrument) inject(ctx context.Context, req mcp.Request) mcp.Request {
	fresh := carrier{}
	in.opts.propagator().Inject(ctx, fresh)
	request := reflect.ValueOf(req)
	if len(fresh) == 0 || request.Kind() != reflect.Pointer || request.IsNil() {
		return req
	}
	params := request.Elem().FieldByName("Params")
	if params.IsValid() && params.Kind() == reflect.Interface {
		params = params.Elem()
	}
	if !params.IsValid() || params.Kind() != reflect.Pointer || params.IsNil() {
		return req
	}
	copied := reflect.New(params.Type().Elem())
	copied.Elem().Set(params.Elem())
	p, ok := reflect.TypeAssert[mcp.Params](copied)
	if !ok {
		return req
	}
	meta := maps.Clone(p.GetMeta())
	if meta == nil {
		meta = map[string]any{}
	}
	maps.Copy(meta, fresh)
	p.SetMeta(meta)
	out := reflect.New(request.Type().Elem())
	out.Elem().Set(request.Elem())
	out.Elem().FieldByName("Params").Set(copied)
	if r, ok := reflect.TypeAssert[mcp.Request](out); ok {
		return r
	}
	return req
}
