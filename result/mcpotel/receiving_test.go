package mcpotel_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// In the wrong order, or without result.Middleware, a warning is logged once. In the right order
// nothing is logged.
func TestReceiving_Order(t *testing.T) {
	t.Parallel()
	failures := map[string]mcp.ToolHandler{
		"error":          fails(errors.New("x")),
		"author's error": fails(toolerr.Business("x")),
		"failed result": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "x"}}}, nil
		},
		"nothing":        func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil },
		"typed":          nil, // a typed tool, below
		"success":        ok,
		"protocol error": fails(&jsonrpc.Error{Code: -32099, Message: "x"}),
	}
	silent := map[string]bool{"success": true, "protocol error": true} // the same in every order
	for order, add := range map[string]func(*recorder) []mcp.Middleware{
		"right":   func(r *recorder) []mcp.Middleware { return []mcp.Middleware{mcpotel.Receiving(&r.Options), quiet()} },
		"wrong":   func(r *recorder) []mcp.Middleware { return []mcp.Middleware{quiet(), mcpotel.Receiving(&r.Options)} },
		"without": func(r *recorder) []mcp.Middleware { return []mcp.Middleware{mcpotel.Receiving(&r.Options)} },
	} {
		for failure, h := range failures {
			if order == "without" && failure == "nothing" {
				continue // the SDK ends the server
			}
			t.Run(order+"/"+failure, func(t *testing.T) {
				t.Parallel()
				r := newRecorder()
				server := bare(nil)
				server.AddReceivingMiddleware(add(r)...)
				if h != nil {
					server.AddTool(&mcp.Tool{Name: "t", InputSchema: map[string]any{"type": "object"}}, h)
				} else {
					result.AddTool(server, &mcp.Tool{Name: "t"},
						func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
							return nil, nil, errors.New("x")
						})
				}
				session := connect(t, server)
				for range 3 {
					_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
				}
				want := 1
				// result.AddTool says so itself
				if order == "right" || silent[failure] || order == "without" && failure == "typed" {
					want = 0
				}
				assert.Equal(t, want, strings.Count(r.log.String(), "outside result.Middleware"), r.log.String())
				assert.Len(t, r.calls(), 3)
			})
		}
	}
}

// The client's span is the parent, and the HTTP request's span is linked.
func TestReceiving_Parent(t *testing.T) {
	t.Parallel()
	const remote = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for name, test := range map[string]struct {
		meta    mcp.Meta
		ambient bool
		trace   string
		links   int
	}{
		"remote":             {mcp.Meta{"traceparent": remote}, false, "4bf92f3577b34da6a3ce929d0e0e4736", 0},
		"remote and ambient": {mcp.Meta{"traceparent": remote}, true, "4bf92f3577b34da6a3ce929d0e0e4736", 1},
		"ambient":            {nil, true, "ambient", 0},
		"neither":            {nil, false, "", 0},
		"not readable":       {mcp.Meta{"traceparent": "00-zz"}, true, "ambient", 0},
		"not a string":       {mcp.Meta{"traceparent": 7}, false, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			ctx := t.Context()
			var http trace.Span
			if test.ambient {
				ctx, http = r.TracerProvider.Tracer("http").Start(ctx, "POST", trace.WithSpanKind(trace.SpanKindServer))
			}
			handle := mcpotel.Receiving(&r.Options)(func(
				context.Context, string, mcp.Request,
			) (mcp.Result, error) {
				return result.OK("x"), nil
			})
			_, err := handle(ctx, "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "t", Meta: test.meta}})
			require.NoError(t, err)
			require.Len(t, r.calls(), 1)
			span := r.calls()[0]
			assert.Equal(t, trace.SpanKindServer, span.SpanKind)
			assert.Len(t, span.Links, test.links)
			switch test.trace {
			case "":
				assert.False(t, span.Parent.IsValid())
			case "ambient":
				assert.Equal(t, http.SpanContext().SpanID(), span.Parent.SpanID())
			default:
				assert.Equal(t, test.trace, span.SpanContext.TraceID().String())
				assert.True(t, span.Parent.IsRemote())
			}
			if test.links > 0 {
				assert.Equal(t, http.SpanContext().SpanID(), span.Links[0].SpanContext.SpanID())
			}
		})
	}
}

// Another instrumentation's span of the same request is enriched.
func TestReceiving_SpanAround(t *testing.T) {
	t.Parallel()
	for tool, own := range map[string]int{"t": 0, "another": 1} {
		r := newRecorder()
		ctx, outer := r.TracerProvider.Tracer("other").
			Start(t.Context(), "tools/call "+tool, trace.WithSpanKind(trace.SpanKindServer),
				trace.WithAttributes(attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.tool.name", tool)))
		handle := mcpotel.Receiving(&r.Options)(func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return result.Failure(toolerr.Business("x")), nil
		})
		_, err := handle(ctx, "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "t"}})
		require.NoError(t, err)
		outer.End()
		require.Len(t, r.spans.GetSpans(), 1+own)
		enriched := values(r.spans.GetSpans()[own].Attributes)
		assert.Equal(t, own == 0, enriched["toolerr.category"] == "business", tool)
	}
}

// A panic is not recovered, and its span ends as a failure.
func TestReceiving_Panic(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	handle := mcpotel.Receiving(&r.Options)(func(
		context.Context, string, mcp.Request,
	) (mcp.Result, error) {
		panic("secret")
	})
	assert.PanicsWithValue(t, "secret", func() {
		_, _ = handle(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "t"}})
	})
	require.Len(t, r.calls(), 1)
	assert.Equal(t, "_OTHER", values(r.calls()[0].Attributes)["error.type"])
	assert.Equal(t, codes.Error, r.calls()[0].Status.Code)
	assert.Empty(t, r.calls()[0].Events)
}

// Requests without parameters, sessions or results do not panic.
func TestReceiving_EmptyRequests(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	for _, middleware := range []mcp.Middleware{
		mcpotel.Receiving(&r.Options), mcpotel.Sending(&r.Options),
		mcpotel.Receiving(nil), mcpotel.Sending(nil),
	} {
		handle := middleware(func(
			context.Context, string, mcp.Request,
		) (mcp.Result, error) {
			return (*mcp.CallToolResult)(nil), nil
		})
		for _, req := range []mcp.Request{
			&mcp.CallToolRequest{}, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, &mcp.ListToolsRequest{},
			&mcp.ClientRequest[*mcp.CallToolParams]{}, &mcp.ClientRequest[mcp.Params]{}, (&mcp.ServerRequest[mcp.Params]{}),
			&mcp.CallToolRequest{Session: (*mcp.ServerSession)(nil), Extra: &mcp.RequestExtra{Header: http.Header{}}},
		} {
			for _, method := range []string{"tools/call", "tools/list", "subscriptions/listen"} {
				assert.NotPanics(t, func() { _, _ = handle(t.Context(), method, req) })
			}
		}
	}
}
