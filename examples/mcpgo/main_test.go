package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// newSDKServer has the same tools on the official SDK, with package result.
func newSDKServer(logger *slog.Logger) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "orders", Version: "v1"}, nil)
	s.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: logger}))
	for name, fail := range failures {
		result.AddTool(s, &sdk.Tool{Name: name, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: name == "down" || name == "find"}},
			func(_ context.Context, _ *sdk.CallToolRequest, in orderIn) (*sdk.CallToolResult, orderOut, error) {
				out, err := fail(in)
				return nil, out, err
			})
	}
	anything := map[string]any{"type": "object"}
	s.AddTool(&sdk.Tool{Name: "words", InputSchema: anything}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "the moon is full"}}}, nil
	})
	s.AddTool(&sdk.Tool{Name: "nothing", InputSchema: anything}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return nil, nil })
	status := map[string]any{"type": "object", "properties": map[string]any{"status": map[string]any{"type": "string"}}}
	sdk.AddTool(s, &sdk.Tool{Name: "bad_output", OutputSchema: status}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, map[string]any, error) {
		return nil, map[string]any{"status": 7}, nil
	})
	return s
}

// A record is what one line of the log says.
type record struct {
	Level string         `json:"level"`
	Tool  string         `json:"gen_ai.tool.name"`
	Type  string         `json:"error.type"`
	Error map[string]any `json:"error"`
	Stack string         `json:"stack"`
}

func readRecord(t *testing.T, log *bytes.Buffer) (r record) {
	t.Helper()
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte(`"msg":"tool call failed"`)), log.String())
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "tool call failed") {
			require.NoError(t, json.Unmarshal([]byte(line), &r))
		}
	}
	return r
}

// Every failure has the same envelope and log record as with package result on the official
// SDK. The wording about arguments and outputs differs, because the validators differ.
func TestStructured_SameAsResult(t *testing.T) {
	t.Parallel()
	for _, c := range calls {
		if c == calls[0] {
			continue // a success
		}
		t.Run(c.tool+c.arguments, func(t *testing.T) {
			t.Parallel()
			var ours, theirs bytes.Buffer
			text := c.text(t.Context(), newServer(slog.New(slog.NewJSONHandler(&ours, nil)), true))
			serverSide, clientSide := sdk.NewInMemoryTransports()
			_, err := newSDKServer(slog.New(slog.NewJSONHandler(&theirs, nil))).Connect(t.Context(), serverSide, nil)
			require.NoError(t, err)
			session, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "v0"}, nil).Connect(t.Context(), clientSide, nil)
			require.NoError(t, err)
			defer func() { _ = session.Close() }()
			out := result.Parse(session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)}))

			var got, want toolerr.Error
			require.NoError(t, json.Unmarshal([]byte(text), &got), text)
			require.NoError(t, json.Unmarshal([]byte(out.Text()), &want), out.Text())
			assert.NotEmpty(t, got.CorrelationID)
			if c.tool == "find" || c.tool == "bad_output" {
				got.Message, got.Hint = want.Message, want.Hint
			}
			got.CorrelationID = want.CorrelationID
			assert.JSONEq(t, string(want.AppendJSON(nil)), string(got.AppendJSON(nil)))

			logged, expected := readRecord(t, &ours), readRecord(t, &theirs)
			for _, r := range []*record{&logged, &expected} {
				delete(r.Error, "correlation_id")
				delete(r.Error, "cause")
				assert.Equal(t, c.tool == "panics", r.Stack != "")
				r.Stack = ""
			}
			if c.tool == "find" {
				delete(logged.Error, "message")
				delete(expected.Error, "message")
			}
			assert.Equal(t, expected, logged)
		})
	}
}

// What an author's own result holds besides its text goes out unchanged, and long texts
// follow the envelope whole.
func TestStructured_OtherContent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of a compiler\n", 500)
	image := mcp.NewImageContent("iVBORw0KGgo=", "image/png")
	s := server.NewMCPServer("s", "v1", structured(slog.New(slog.DiscardHandler), nil)...)
	for name, content := range map[string][]mcp.Content{
		"long": {mcp.NewTextContent(long)}, "image": {mcp.NewTextContent("see the picture"), image},
	} {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: content}, nil
		})
		res, ok := s.HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`"}}`)).(mcp.JSONRPCResponse)
		require.True(t, ok)
		got, ok := res.Result.(*mcp.CallToolResult)
		require.True(t, ok)
		require.Len(t, got.Content, 2)
		assert.True(t, isEnvelope(got))
		assert.Equal(t, content[len(content)-1], got.Content[1])
	}
}

// Whether a failure may be repeated is the tool's to say: the flag alone is safe to act on.
func TestStructured_Key(t *testing.T) {
	t.Parallel()
	s := server.NewMCPServer("s", "v1", structured(slog.New(slog.DiscardHandler), nil)...)
	handler := typed(func(context.Context, mcp.CallToolRequest, orderIn) (orderOut, error) {
		return orderOut{}, toolerr.Transient("The gateway did not answer.").WithCode(toolerr.CodeTimeout)
	})
	s.AddTool(mcp.NewTool("plain"), handler)
	s.AddTool(mcp.NewTool("keyed", mcp.WithString("idempotency_key")), handler)
	s.AddTool(mcp.NewTool("idempotent", mcp.WithIdempotentHintAnnotation(true)), handler)
	for c, want := range map[call]bool{
		{"plain", `{}`}: false, {"plain", `{"idempotency_key":"k"}`}: false,
		{"keyed", `{}`}: false, {"keyed", `{"idempotency_key":""}`}: false, {"keyed", `{"idempotency_key":"k"}`}: true,
		{"idempotent", `{}`}: true,
	} {
		var e toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(c.text(t.Context(), s)), &e))
		assert.Equal(t, want, e.Retryable, c)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var out, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-wire"}, &out, &stderr), stderr.String())
	without, with := 0, 0
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "hunter2") || strings.Contains(line, "sk_live") {
			without++
			assert.NotContains(t, line, `{"isError":true`)
		}
		if strings.HasPrefix(line, `   wire     {"isError":true`) {
			with++
		}
	}
	assert.Equal(t, 4, without, "two secrets that come out, as text and on the wire")
	assert.Equal(t, len(calls)-1, with, "failures that are envelopes")
}
