// Package adk runs an unmodified agent of google's adk-go, which reconnects by itself, against
// servers that die.
package adk

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/mcptoolset"
	"google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ledgerOf names the environment variable with the ledger of a child process, which is a server.
const ledgerOf = "TOOLERR_ADK_LEDGER"

func TestMain(m *testing.M) {
	if ledger := os.Getenv(ledgerOf); ledger != "" {
		serve(ledger)
		return
	}
	os.Exit(m.Run())
}

// serve runs a server whose tools write to the ledger. The tool charge ends the process before
// it answers, and balance only the first time.
func serve(ledger string) {
	write := func(line string) int {
		f, err := os.OpenFile(ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintln(f, line)
		}
		if err != nil {
			panic(err)
		}
		all, err := os.ReadFile(ledger)
		if err != nil {
			panic(err)
		}
		return strings.Count(string(all), line)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	type none struct{}
	result.AddTool(server, &mcp.Tool{Name: "charge"},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			write("charge")
			os.Exit(1)
			return nil, nil, nil
		})
	result.AddTool(server, &mcp.Tool{Name: "balance", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			if write("balance") == 1 {
				os.Exit(1)
			}
			return result.OK("7.00"), nil, nil
		})
	result.AddTool(server, &mcp.Tool{Name: "pay"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Key string `json:"idempotency_key,omitempty"`
	},
	) (*mcp.CallToolResult, any, error) {
		write("pay " + in.Key)
		return result.OK("paid"), nil, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

type runKey struct{}

// keyOf returns the key of a run's only step.
func keyOf(ctx context.Context, params *mcp.CallToolParams) string {
	run, _ := ctx.Value(runKey{}).(string)
	return run + "/" + params.Name
}

// A program is a transport that starts a process for each session.
type program struct{ ledger string }

func (p program) Connect(ctx context.Context) (mcp.Connection, error) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), ledgerOf+"="+p.ledger)
	return (&mcp.CommandTransport{Command: c}).Connect(ctx)
}

// A caller is a model that calls one tool, and then says what it got.
type caller struct {
	tool string
	got  string
}

func (*caller) Name() string { return "caller" }

func (c *caller) GenerateContent(
	_ context.Context, req *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		last := req.Contents[len(req.Contents)-1].Parts[0]
		if answer := last.FunctionResponse; answer != nil {
			c.got = fmt.Sprint(answer.Response)
			yield(&model.LLMResponse{Content: genai.NewContentFromText("done", genai.RoleModel), TurnComplete: true}, nil)
			return
		}
		call := genai.NewPartFromFunctionCall(c.tool, map[string]any{})
		yield(&model.LLMResponse{Content: genai.NewContentFromParts([]*genai.Part{call}, genai.RoleModel)}, nil)
	}
}

// run lets an agent call a tool, and returns what its model got, and the ledger's lines.
func run(t *testing.T, name string, middleware ...mcp.Middleware) (got string, lines int) {
	t.Helper()
	ledger := filepath.Join(t.TempDir(), "ledger")
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, nil)
	client.AddSendingMiddleware(middleware...)
	tools, err := mcptoolset.New(mcptoolset.Config{Client: client, Transport: program{ledger}})
	require.NoError(t, err)
	llm := &caller{tool: name}
	a, err := llmagent.New(llmagent.Config{Name: "agent", Model: llm, Toolsets: []tool.Toolset{tools}})
	require.NoError(t, err)
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: a, SessionService: session.InMemoryService(),
		AutoCreateSession: true,
	})
	require.NoError(t, err)
	ctx := context.WithValue(t.Context(), runKey{}, "run-17")
	for event, err := range r.Run(ctx, "user", "session", genai.NewContentFromText("go", genai.RoleUser),
		agent.RunConfig{}) {
		require.NoError(t, err, event)
	}
	raw, err := os.ReadFile(ledger)
	require.NoError(t, err)
	if name == "pay" {
		assert.Equal(t, "pay run-17/pay\n", string(raw))
	}
	return llm.got, strings.Count(string(raw), "\n")
}

// TestToolset checks that a call that may have taken effect is made once, although the agent
// repeats calls on a new connection by itself, and that a safe one is repeated.
func TestToolset(t *testing.T) {
	t.Parallel()
	policy := retry.Policy{BaseDelay: -1, Logger: slog.New(slog.DiscardHandler)}
	got, lines := run(t, "charge")
	assert.Equal(t, 2, lines, "the agent alone: %s", got)

	got, lines = run(t, "charge", retry.Middleware(policy, retry.SafetyOf))
	assert.Equal(t, 1, lines, got)
	assert.Contains(t, got, `"effect":"unknown"`, "the model reads that the call may have taken effect")

	policy.Key = keyOf // the agent passes on the context's values
	got, lines = run(t, "pay", retry.Middleware(policy, retry.SafetyOf))
	assert.Equal(t, 1, lines, got)

	got, lines = run(t, "balance", retry.Middleware(policy, retry.SafetyOf))
	assert.Equal(t, 2, lines, got)
	assert.Contains(t, got, "7.00")
}

// TestWorkflow checks that a workflow's node, which by default repeats nearly every error, makes a
// call that may have taken effect once if toolerr.IsRetryable decides.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tool        string
		shouldRetry func(error) bool
		lines       int
	}{
		"the default":   {"charge", nil, 3},
		"a charge":      {"charge", toolerr.IsRetryable, 1},
		"a paid charge": {"pay", toolerr.IsRetryable, 1},
	} {
		ledger := filepath.Join(t.TempDir(), "ledger")
		call := func(ctx agent.Context, _ string) (string, error) {
			client := &retry.Client{
				Policy: retry.Policy{BaseDelay: -1, Logger: slog.New(slog.DiscardHandler)},
				Connect: func(ctx context.Context) (retry.ClientSession, error) {
					return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, nil).Connect(ctx, program{ledger}, nil)
				},
			}
			defer client.Close()
			out, _ := client.CallTool(ctx, &mcp.CallToolParams{Name: test.tool})
			return out.Text(), out.AsError()
		}
		node := workflow.NewFunctionNode("node", call, workflow.NodeConfig{
			RetryConfig: &workflow.RetryConfig{MaxAttempts: 3, ShouldRetry: test.shouldRetry},
		})
		flow, err := workflowagent.New(workflowagent.Config{Name: "flow", Edges: workflow.Chain(workflow.Start, node)})
		require.NoError(t, err)
		r, err := runner.New(runner.Config{
			AppName: "app", Agent: flow, SessionService: session.InMemoryService(),
			AutoCreateSession: true,
		})
		require.NoError(t, err)
		for _, err := range r.Run(t.Context(), "user", "session", genai.NewContentFromText("go", genai.RoleUser),
			agent.RunConfig{}) {
			assert.Equal(t, test.tool == "charge", err != nil, name)
		}
		raw, err := os.ReadFile(ledger)
		require.NoError(t, err)
		assert.Equal(t, test.lines, strings.Count(string(raw), "\n"), name)
	}
}
