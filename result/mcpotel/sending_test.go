package mcpotel_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// flaky fails twice, and then succeeds.
func flaky() mcp.ToolHandler {
	var n atomic.Int32
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n.Add(1) <= 2 {
			return nil, toolerr.Transient("Busy.").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
		}
		return result.OK("x"), nil
	}
}

var quick = retry.Policy{BaseDelay: time.Millisecond}

// Each attempt has its own span at both ends, with its number.
func TestSending_Attempts(t *testing.T) {
	t.Parallel()
	ways := map[string]func(*testing.T, *recorder, *mcp.Server) error{
		"middleware": func(t *testing.T, r *recorder, server *mcp.Server) error {
			t.Helper()
			session := connect(t, server, retry.Middleware(quick, retry.SafetyOf), mcpotel.Sending(&r.Options))
			return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "flaky"})).AsError()
		},
		"client": func(t *testing.T, r *recorder, server *mcp.Server) error {
			t.Helper()
			client := &retry.Client{Policy: quick, Connect: func(context.Context) (retry.ClientSession, error) {
				return connect(t, server, mcpotel.Sending(&r.Options)), nil
			}}
			defer func() { _ = client.Close() }()
			out, _ := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "flaky"})
			return out.AsError()
		},
	}
	for name, call := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			require.NoError(t, call(t, r, r.serve(map[string]mcp.ToolHandler{"flaky": flaky()})))
			spans := r.calls()
			require.Len(t, spans, 6)
			var numbers []any
			for i := 0; i < len(spans); i += 2 {
				client, server := spans[i], spans[i+1]
				assert.Equal(t, trace.SpanKindClient, client.SpanKind)
				assert.Equal(t, client.SpanContext.SpanID(), server.Parent.SpanID(),
					"the server's span is a child of the attempt's")
				assert.True(t, server.Parent.IsRemote())
				numbers = append(numbers, values(client.Attributes)["toolerr.attempt"],
					values(server.Attributes)["toolerr.attempt"])
			}
			assert.Equal(t, []any{int64(1), int64(1), int64(2), int64(2), int64(3), int64(3)}, numbers)
			assert.Equal(t, []codes.Code{codes.Error, codes.Error, codes.Unset},
				[]codes.Code{spans[0].Status.Code, spans[2].Status.Code, spans[4].Status.Code})
		})
	}
}

// An existing span of the call is enriched, not duplicated. Any other span is the parent.
func TestSending_SpanAround(t *testing.T) {
	t.Parallel()
	execute := func(tool string) []attribute.KeyValue {
		return []attribute.KeyValue{
			attribute.String("gen_ai.operation.name", "execute_tool"),
			attribute.String("gen_ai.tool.name", tool),
		}
	}
	for name, test := range map[string]struct {
		attributes []attribute.KeyValue
		kind       trace.SpanKind
		middleware func(*recorder) []mcp.Middleware
		own        int // additional spans
	}{
		"the tool's execution": {execute("over_limit"), trace.SpanKindInternal, nil, 0},
		"another tool's":       {execute("research"), trace.SpanKindInternal, nil, 1},
		"an agent's step":      {nil, trace.SpanKindInternal, nil, 1},
		"the server's side of this method": {
			append(execute("over_limit"), attribute.String("mcp.method.name", "tools/call")),
			trace.SpanKindServer, nil, 1,
		},
		"other instrumentation of clients": {
			append(execute("over_limit"), attribute.String("mcp.method.name", "tools/call")),
			trace.SpanKindClient, nil, 0,
		},
		"attempts inside of the execution": {
			execute("over_limit"), trace.SpanKindInternal,
			func(r *recorder) []mcp.Middleware {
				return []mcp.Middleware{retry.Middleware(quick, nil), mcpotel.Sending(&r.Options)}
			}, 1,
		},
		"added twice": {execute("over_limit"), trace.SpanKindInternal, func(r *recorder) []mcp.Middleware {
			return []mcp.Middleware{mcpotel.Sending(&r.Options), mcpotel.Sending(&r.Options)}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			sending := []mcp.Middleware{mcpotel.Sending(&r.Options)}
			if test.middleware != nil {
				sending = test.middleware(r)
			}
			server := bare(map[string]mcp.ToolHandler{"over_limit": fails(toolerr.LimitExceeded("m", "c"))})
			server.AddReceivingMiddleware(quiet())
			session := connect(t, server, sending...)
			r.spans.Reset()
			ctx, outer := r.TracerProvider.Tracer("framework").
				Start(t.Context(), "outer", trace.WithSpanKind(test.kind), trace.WithAttributes(test.attributes...))
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "over_limit"})
			require.NoError(t, err)
			outer.End()
			spans := r.spans.GetSpans()
			require.Len(t, spans, 1+test.own)
			last := spans[len(spans)-1]
			assert.Equal(t, "outer", last.Name)
			if test.own == 0 {
				assert.Equal(t, "tool_error", values(last.Attributes)["error.type"])
				assert.Equal(t, codes.Error, last.Status.Code)
			} else {
				assert.Equal(t, last.SpanContext.SpanID(), spans[0].Parent.SpanID())
				assert.NotContains(t, values(last.Attributes), "error.type")
			}
			measured := 0
			for _, line := range r.histograms(t) {
				if assert.NotContains(t, line, "[s] 2") && len(line) > 0 {
					measured++
				}
			}
			assert.Positive(t, measured)
		})
	}
}

// The caller's parameters are not changed, and are sent with the trace context.
func TestSending_Meta(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	var sent []map[string]any
	server := bare(map[string]mcp.ToolHandler{"ok": func(
		_ context.Context, req *mcp.CallToolRequest,
	) (*mcp.CallToolResult, error) {
		sent = append(sent, req.Params.Meta)
		return result.OK("x"), nil
	}})
	session := connect(t, server, mcpotel.Sending(&r.Options))
	params := &mcp.CallToolParams{Name: "ok", Meta: mcp.Meta{"mine": "1", "tracestate": "old=1"}}
	for range 2 {
		_, err := session.CallTool(t.Context(), params)
		require.NoError(t, err)
	}
	assert.NotContains(t, params.Meta, "traceparent") // the SDK itself adds members of its own
	assert.Equal(t, "old=1", params.Meta["tracestate"])
	require.Len(t, sent, 2)
	assert.Equal(t, "1", sent[0]["mine"])
	assert.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`, sent[0]["traceparent"])
	assert.NotEqual(t, sent[0]["traceparent"], sent[1]["traceparent"])
	_, err := session.ListTools(t.Context(), nil) // which has no place for it before 2026-07-28
	require.NoError(t, err)
}

// The error.type of a local error is its code.
func TestSending_LocalErrors(t *testing.T) {
	t.Parallel()
	for want, prepare := range map[string]func(*testing.T, *mcp.ClientSession) context.Context{
		"timeout": func(t *testing.T, _ *mcp.ClientSession) context.Context {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			t.Cleanup(cancel)
			return ctx
		},
		"canceled": func(t *testing.T, _ *mcp.ClientSession) context.Context {
			t.Helper()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return ctx
		},
		"unavailable": func(t *testing.T, session *mcp.ClientSession) context.Context {
			t.Helper()
			_ = session.Close()
			return t.Context()
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			session := connect(t, bare(map[string]mcp.ToolHandler{"slow": func(ctx context.Context,
				_ *mcp.CallToolRequest,
			) (*mcp.CallToolResult, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}), mcpotel.Sending(&r.Options))
			_, err := session.CallTool(prepare(t, session), &mcp.CallToolParams{Name: "slow"})
			require.Error(t, err)
			require.Len(t, r.calls(), 1)
			got := values(r.calls()[0].Attributes)
			assert.Equal(t, want, got["error.type"])
			assert.Equal(t, want, got["toolerr.code"])
			assert.NotContains(t, got, "rpc.response.status_code")
			assert.NotContains(t, got, "gen_ai.tool.name", "no server has said that there is such a tool")
		})
	}
}
