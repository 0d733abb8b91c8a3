// Package trpc runs an unmodified agent of trpc-agent-go, which repeats tool calls by itself, against
// a server that does the work and loses its answer.
package trpc

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"trpc.group/trpc-go/trpc-agent-go/agent/llmagent"
	"trpc.group/trpc-go/trpc-agent-go/model"
	"trpc.group/trpc-go/trpc-agent-go/runner"
	"trpc.group/trpc-go/trpc-agent-go/tool"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serve starts a server whose tool charges, and whose answers to calls are lost.
func serve(t *testing.T, charges *atomic.Int64) *mcp.StreamableClientTransport {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	result.AddTool(server, &mcp.Tool{Name: "charge"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, struct{}, error) {
			charges.Add(1)
			return nil, struct{}{}, nil
		})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err == nil && bytes.Contains(body, []byte(`"tools/call"`)) {
			handler.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler) // the connection is closed without an answer
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(lossy.Close)
	return &mcp.StreamableClientTransport{Endpoint: lossy.URL, MaxRetries: -1, DisableStandaloneSSE: true}
}

// A charge is a tool of the agent that calls the server's tool.
type charge func(context.Context) (any, error)

func (charge) Declaration() *tool.Declaration {
	return &tool.Declaration{Name: "charge", Description: "charges", InputSchema: &tool.Schema{Type: "object"}}
}

func (c charge) Call(ctx context.Context, _ []byte) (any, error) { return c(ctx) }

// A caller is a model that calls the tool once, and then answers.
type caller struct{}

func (caller) Info() model.Info { return model.Info{Name: "caller"} }

func (caller) GenerateContent(_ context.Context, req *model.Request) (<-chan *model.Response, error) {
	said := model.Message{Role: model.RoleAssistant, Content: "done"}
	if req.Messages[len(req.Messages)-1].Role != model.RoleTool {
		said = model.Message{Role: model.RoleAssistant, ToolCalls: []model.ToolCall{{
			Type: "function", ID: "1", Function: model.FunctionDefinitionParam{Name: "charge", Arguments: []byte("{}")},
		}}}
	}
	all := make(chan *model.Response, 1)
	all <- &model.Response{Done: true, Choices: []model.Choice{{Message: said}}}
	close(all)
	return all, nil
}

// bare calls with the SDK alone.
func bare(transport mcp.Transport) charge {
	return func(ctx context.Context) (any, error) {
		s, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, nil).Connect(ctx, transport, nil)
		if err != nil {
			return nil, err
		}
		defer func() { _ = s.Close() }()
		return s.CallTool(ctx, &mcp.CallToolParams{Name: "charge"})
	}
}

// ours calls with [retry.Client], and returns a failure as an error or as a result.
func ours(transport mcp.Transport, asError bool) charge {
	return func(ctx context.Context) (any, error) {
		c := &retry.Client{Policy: retry.Policy{BaseDelay: -1, Logger: slog.New(slog.DiscardHandler)}}
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, c.Options(nil)).Connect(ctx, transport, nil)
		}
		defer func() { _ = c.Close() }()
		out, _ := c.CallTool(ctx, &mcp.CallToolParams{Name: "charge"})
		if asError {
			return out.Text(), out.AsError()
		}
		return out.Text(), nil
	}
}

// TestAgent shows what LAYERS.md says of trpc-agent-go: its default predicate repeats a call whose
// connection ended, whatever the tool.
func TestAgent(t *testing.T) {
	t.Parallel()
	ifRetryable := func(_ context.Context, info *tool.RetryInfo) (bool, error) {
		return toolerr.IsRetryable(info.Error), nil
	}
	for name, test := range map[string]struct {
		tool    func(mcp.Transport) charge
		retryOn func(context.Context, *tool.RetryInfo) (bool, error)
		charges int64
	}{
		"the SDK, the default":           {bare, nil, 3},
		"our error, the default":         {func(t mcp.Transport) charge { return ours(t, true) }, nil, 3},
		"our error, toolerr.IsRetryable": {func(t mcp.Transport) charge { return ours(t, true) }, ifRetryable, 1},
		"our text, the default":          {func(t mcp.Transport) charge { return ours(t, false) }, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var charges atomic.Int64
			policy := &tool.RetryPolicy{MaxAttempts: 3, InitialInterval: 1, BackoffFactor: 1, RetryOn: test.retryOn}
			agent := llmagent.New("agent", llmagent.WithModel(caller{}), llmagent.WithToolCallRetryPolicy(policy),
				llmagent.WithTools([]tool.Tool{test.tool(serve(t, &charges))}))
			events, err := runner.NewRunner("app", agent).Run(t.Context(), "user", "session", model.NewUserMessage("charge"))
			require.NoError(t, err)
			for range events { //nolint:revive // until the agent has ended
			}
			assert.Equal(t, test.charges, charges.Load())
		})
	}
}
