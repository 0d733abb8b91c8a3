package mcpotel

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"
)

// A carrier is _meta as a propagator reads and writes it. The keys have no prefix there,
// as the specification of MCP has it for traceparent, tracestate and baggage (SEP-414).
type carrier mcp.Meta

// Get returns what is a string under a key.
func (c carrier) Get(key string) string {
	s, _ := c[key].(string)
	return s
}

// Set sets a key.
func (c carrier) Set(key, value string) { c[key] = value }

// Keys returns the keys.
func (c carrier) Keys() []string { return slices.Collect(maps.Keys(c)) }

// metaOf returns the _meta of parameters, of which there may be none.
func metaOf(params mcp.Params) map[string]any {
	if v := reflect.ValueOf(params); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return params.GetMeta()
}

// extract returns a context with the client's span as parent, and what links the span that
// was there before. Without a client's span, that one is the parent.
func (in *instrument) extract(ctx context.Context, req mcp.Request) (context.Context, trace.SpanStartOption) {
	ambient := trace.SpanContextFromContext(ctx)
	extracted := in.propagator.Extract(ctx, carrier(metaOf(req.GetParams())))
	if parent := trace.SpanContextFromContext(extracted); !parent.IsValid() || parent.Equal(ambient) || !ambient.IsValid() {
		return extracted, nil
	}
	return extracted, trace.WithLinks(trace.Link{SpanContext: ambient})
}

// inject returns the request with the trace's context in its _meta. The caller's own
// parameters stay as they are; a request without any has no place for it.
func (in *instrument) inject(ctx context.Context, req mcp.Request) mcp.Request {
	fresh := carrier{}
	in.propagator.Inject(ctx, fresh)
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
