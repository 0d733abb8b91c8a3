package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/mcptoolset"
	"google.golang.org/genai"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// adkAlone runs an adk-go agent, whose toolset reconnects by itself.
func adkAlone(ctx context.Context, s *script, p *program) error { return runADK(ctx, s, p, nil) }

// adkAdopted is adkAlone, but the toolset's client uses this module.
func adkAdopted(ctx context.Context, s *script, p *program) error {
	dialer := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	dialer.AddSendingMiddleware(retry.Middleware(policy(), retry.SafetyOf))
	return runADK(ctx, s, p, dialer)
}

// showEnvelope shows the model the failure of the agent's own tools, which are no MCP server's: adk-go
// shows err.Error(), and JSON of an error that wraps a *toolerr.Error is {}.
func showEnvelope(_ agent.Context, _ tool.Tool, _ map[string]any, err error) (map[string]any, error) {
	if e := new(toolerr.Error); errors.As(err, &e) {
		return map[string]any{"error": e}, nil
	}
	return nil, nil //nolint:nilnil // adk-go's words for no other answer
}

// runADK runs a conversation. If dialer is nil, adk-go uses its own client.
func runADK(ctx context.Context, s *script, p *program, dialer *mcp.Client) error {
	tools, err := mcptoolset.New(mcptoolset.Config{Client: dialer, Transport: p})
	if err != nil {
		return err
	}
	c := llmagent.Config{Name: "desk", Model: adkModel{s}, Toolsets: []tool.Toolset{tools}}
	if dialer != nil {
		c.OnToolErrorCallbacks = []llmagent.OnToolErrorCallback{showEnvelope}
	}
	return runAgent(ctx, c, s.name)
}

// runAgent runs a conversation that begins with text.
func runAgent(ctx context.Context, c llmagent.Config, text string) error {
	desk, err := llmagent.New(c)
	if err != nil {
		return err
	}
	run, err := runner.New(runner.Config{
		AppName: "app", Agent: desk, SessionService: session.InMemoryService(),
		AutoCreateSession: true,
	})
	if err != nil {
		return err
	}
	for _, err := range run.Run(ctx, "user", "session", genai.NewContentFromText(text, genai.RoleUser),
		agent.RunConfig{}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// An adkModel is a script that plays adk-go's model.
type adkModel struct{ *script }

func (adkModel) Name() string { return "script" }

func (m adkModel) GenerateContent(
	_ context.Context, req *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		last := req.Contents[len(req.Contents)-1].Parts[0]
		next, ok := call{}, true
		if last.FunctionResponse == nil {
			next = m.begin()
		} else if failure, failed := last.FunctionResponse.Response["error"]; failed {
			next, ok = m.next(fmt.Sprint(failure), true)
		} else {
			next, ok = m.next(call{arguments: last.FunctionResponse.Response}.raw(), false)
		}
		if !ok {
			yield(&model.LLMResponse{Content: genai.NewContentFromText(m.said, genai.RoleModel), TurnComplete: true}, nil)
			return
		}
		part := genai.NewPartFromFunctionCall(next.tool, next.arguments)
		yield(&model.LLMResponse{Content: genai.NewContentFromParts([]*genai.Part{part}, genai.RoleModel)}, nil)
	}
}
