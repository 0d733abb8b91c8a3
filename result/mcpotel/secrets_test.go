package mcpotel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Values that must not be in telemetry: a text and a number.
const (
	secret = "hunter2_S3CR3T"
	number = 987654321
)

// failedText returns a failed result with a text, like other servers.
func failedText(text string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{
			IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}},
			Meta: mcp.Meta{"m": secret},
		}, nil
	}
}

// planted returns tools with a secret in every place a tool can write to.
func planted() map[string]mcp.ToolHandler {
	full := toolerr.Business(secret).WithCause(errors.New(secret)).WithCode(secret).WithHint(secret).
		WithCustomerMessage(secret).
		WithField(secret).WithIdempotencyKey(secret).WithDetails(map[string]any{secret: number}).WithSuggestions(secret).
		WithAlternatives(secret).WithEffect(secret).WithCorrelationID(secret)
	full.Category = secret
	envelope := string(full.AppendJSON(nil))
	return map[string]mcp.ToolHandler{
		"data": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.OK(map[string]any{secret: number}), nil
		},
		"empty": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.Empty(secret, nil), nil
		},
		"unclassified": fails(fmt.Errorf("%s: %w", secret, errors.New(secret))),
		"wrapped":      fails(toolerr.Wrap(errors.New(secret), secret)),
		"envelope":     fails(full),
		"partial": fails(full.WithPartial(&toolerr.Partial{
			Processed: 1, Total: number, ContinueFrom: secret,
			Results: json.RawMessage(`"` + secret + `"`),
		})),
		"protocol error": fails(&jsonrpc.Error{Code: number, Message: secret, Data: json.RawMessage(`"` + secret + `"`)}),
		"own code":       fails(&jsonrpc.Error{Code: -32001, Message: secret}),
		"own envelope":   failedText(envelope),
		"foreign": failedText(fmt.Sprintf(`{"error":{"code":%q,"status":%d,"category":%q,"message":%q,"effect":%q}}`,
			secret, number, secret, secret, secret)),
		"number as code": failedText(fmt.Sprintf(`{"error":{"code":%d,"message":%q}}`, number, secret)),
		"text":           failedText("permission denied for " + secret),
	}
}

// Telemetry has no secret of a server, a tool, a model or a client.
func TestSecrets(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(*recorder) []mcp.Middleware{
		"right order": func(r *recorder) []mcp.Middleware { return []mcp.Middleware{mcpotel.Receiving(&r.Options), quiet()} },
		"revealed": func(r *recorder) []mcp.Middleware {
			return []mcp.Middleware{
				mcpotel.Receiving(&r.Options),
				result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealAll}),
			}
		},
		"wrong order": func(r *recorder) []mcp.Middleware {
			return []mcp.Middleware{
				quiet(),
				mcpotel.Receiving(&r.Options),
			}
		},
		"another library": func(r *recorder) []mcp.Middleware { return []mcp.Middleware{mcpotel.Receiving(&r.Options)} },
	} {
		for _, over := range []string{"memory", "http"} {
			t.Run(name+" over "+over, func(t *testing.T) {
				t.Parallel()
				r, tools := newRecorder(), planted()
				if name == "right order" {
					tools["panic"] = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic(secret) }
				}
				server := bare(tools)
				server.AddReceivingMiddleware(wrap(r)...)
				server.AddPrompt(&mcp.Prompt{Name: "p"},
					func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
						return nil, errors.New(secret)
					})
				server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "r", URITemplate: "file:///{+path}"},
					func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
						return nil, errors.New(secret)
					})
				var session *mcp.ClientSession
				if over == "http" {
					session = dial(t, overHTTP(t, server), mcpotel.Sending(&r.Options))
				} else {
					session = connect(t, server, mcpotel.Sending(&r.Options))
				}
				tools[secret] = nil // made up by the model
				for tool := range tools {
					_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{
						Name: tool, Arguments: map[string]any{"password": secret, secret: number, "idempotency_key": secret},
						Meta: mcp.Meta{
							"progressToken": secret, "io.github.mcp-toolerr/attempt": number,
							"io.github.mcp-toolerr/kind": secret, secret: secret,
						},
					})
				}
				_, _ = session.GetPrompt(t.Context(),
					&mcp.GetPromptParams{Name: "p", Arguments: map[string]string{"password": secret}})
				_, _ = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: secret})
				_, _ = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///" + secret})

				var metrics metricdata.ResourceMetrics
				require.NoError(t, r.metrics.Collect(t.Context(), &metrics))
				spans := r.spans.GetSpans()
				assert.Len(t, r.calls(), 2*len(tools), "every call is recorded at both ends")
				for what, text := range map[string]string{
					"spans": fmt.Sprintf("%+v", spans), "metrics": fmt.Sprintf("%+v", metrics), "log": r.log.String(),
					"histograms": strings.Join(r.histograms(t), "\n"),
				} {
					assert.NotContains(t, text, secret, what)
					assert.NotContains(t, text, fmt.Sprint(number), what)
				}
			})
		}
	}
}

// A client's spans have no session id, because the server chooses it; those of the server have
// ids of up to 128 bytes.
func TestSecrets_SessionID(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id   string
		want bool
	}{"short": {secret, true}, "long": {strings.Repeat("x", 129) + secret, false}} {
		for kind, want := range map[string]bool{"client": false, "server": test.want} {
			r := newRecorder()
			var sessions atomic.Int64 // a server needs different ids
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"},
				&mcp.ServerOptions{GetSessionID: func() string {
					return fmt.Sprint(test.id, sessions.Add(1))
				}})
			server.AddTool(&mcp.Tool{Name: "ok", InputSchema: json.RawMessage(`{"type":"object"}`)}, ok)
			var sending []mcp.Middleware
			if kind == "client" {
				sending = append(sending, mcpotel.Sending(&r.Options))
			} else {
				server.AddReceivingMiddleware(mcpotel.Receiving(&r.Options))
			}
			session := dial(t, overHTTP(t, server), sending...)
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ok"})
			require.NoError(t, err)
			require.Contains(t, session.ID(), test.id)
			require.NotEmpty(t, r.calls())
			assert.Equal(t, want, strings.Contains(fmt.Sprintf("%+v", r.spans.GetSpans()), secret), "%s, %s", name, kind)
		}
	}
}

// A server's own codes are learned, up to a hundred words in snake_case; those that a client gets are not.
// What is not known is _OTHER, and the log says so once.
func TestOptions_Codes(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	r.Codes = []toolerr.Code{"card_declined"}
	tools := map[string]mcp.ToolHandler{}
	for i, code := range []toolerr.Code{
		"card_declined", "card_stolen", "Card Stolen", "",
		toolerr.Code(strings.Repeat("x_", 9) + "x"),
	} {
		tools[fmt.Sprint("a", i)] = fails(toolerr.Business("m").WithCode(code))
	}
	for i := range 100 {
		tools[fmt.Sprintf("b%02d", i)] = fails(toolerr.Business("m").WithCode(toolerr.Code(fmt.Sprint("code_", i))))
	}
	session := connect(t, r.serve(tools), mcpotel.Sending(&r.Options))
	got := map[trace.SpanKind][]any{}
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		require.NoError(t, err)
	}
	for _, call := range r.calls() {
		got[call.SpanKind] = append(got[call.SpanKind], values(call.Attributes)["toolerr.code"])
	}
	assert.Equal(t, []any{"card_declined", "card_stolen", "_OTHER", nil, "_OTHER", "code_0"},
		got[trace.SpanKindServer][:6])
	assert.Equal(t, []any{"code_98", "_OTHER"}, got[trace.SpanKindServer][103:])
	assert.Equal(t, []any{"card_declined", "_OTHER", "_OTHER", nil, "_OTHER", "_OTHER"}, got[trace.SpanKindClient][:6])
	assert.Equal(t, 2, strings.Count(r.log.String(), "records a code as _OTHER"), "one for each middleware")
}

// Tool names that a model makes up are neither span names nor attributes.
func TestNames_Unknown(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	session := connect(t, r.serve(map[string]mcp.ToolHandler{"ok": ok}), mcpotel.Sending(&r.Options))
	for i := range 50 {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: fmt.Sprintf("made_up_%d", i)})
		require.Error(t, err)
	}
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ok"})
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%+v", r.spans.GetSpans()), "made_up")
	assert.Len(t, r.histograms(t), 6, "at both ends: discovery, the names that no tool has, and the tool")
	assert.Equal(t, "tools/call ok", r.calls()[100].Name)
}
