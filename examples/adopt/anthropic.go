package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicmcp "github.com/anthropics/anthropic-sdk-go/mcp"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// anthropicAlone runs anthropic-sdk-go's tool runner with its MCP tools, on an MCP SDK session.
func anthropicAlone(ctx context.Context, s *script, p *program) error {
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil).Connect(ctx, p, nil)
	if err != nil {
		return err
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	tools, err := anthropicmcp.NewBetaTools(list.Tools, session)
	if err != nil {
		return err
	}
	return runAnthropic(ctx, s, tools)
}

// anthropicAdopted is anthropicAlone on a session of this module.
func anthropicAdopted(ctx context.Context, s *script, p *program) error {
	client := newClient(p)
	defer func() { _ = client.Close() }()
	tools, err := sessionTools(ctx, client.AsSession())
	if err != nil {
		return err
	}
	return runAnthropic(ctx, s, tools)
}

// A sessionTool is an anthropic-sdk-go tool on any session. The SDK's own tool takes only a
// *mcp.ClientSession, which cannot reconnect.
type sessionTool struct {
	anthropic.BetaTool

	session retry.Session
}

func sessionTools(ctx context.Context, session retry.ClientSession) ([]anthropic.BetaTool, error) {
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	tools, err := anthropicmcp.NewBetaTools(list.Tools, nil) // names, descriptions and schemas
	for i := range tools {
		tools[i] = sessionTool{tools[i], session}
	}
	return tools, err
}

// Execute calls the tool, and returns a failed result as an error, as the runner expects.
func (t sessionTool) Execute(
	ctx context.Context, input json.RawMessage,
) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	res, err := t.session.CallTool(ctx, &mcp.CallToolParams{Name: t.Name(), Arguments: input})
	if err != nil {
		return nil, fmt.Errorf("mcp tool %s: %w", t.Name(), err)
	}
	var texts []string
	blocks := make([]anthropic.BetaToolResultBlockParamContentUnion, 0, len(res.Content))
	for _, content := range res.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
		block, err := anthropicmcp.ToBlock(content)
		if err != nil && !res.IsError {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	if res.IsError {
		return nil, errors.New(strings.Join(texts, "\n"))
	}
	return blocks, nil
}

func runAnthropic(ctx context.Context, s *script, tools []anthropic.BetaTool) error {
	api := httptest.NewServer(anthropicModel{s})
	defer api.Close()
	client := anthropic.NewClient(option.WithBaseURL(api.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	runner := client.Beta.Messages.NewToolRunner(tools,
		anthropic.BetaToolRunnerParams{BetaMessageNewParams: anthropic.BetaMessageNewParams{
			Model: "script", MaxTokens: 1000,
			Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(s.name))},
		}})
	_, err := runner.RunToCompletion(ctx)
	return err
}

// An anthropicModel is a script that implements the part of Anthropic's API that the runner needs.
type anthropicModel struct{ *script }

func (m anthropicModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct {
			Content []struct {
				Type    string `json:"type"`
				IsError bool   `json:"is_error"`
				Content []struct {
					Text string `json:"text"`
				} `json:"content"`
			} `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	next, ok := call{}, true
	if last := request.Messages[len(request.Messages)-1].Content[0]; last.Type == "tool_result" {
		texts := make([]string, 0, len(last.Content))
		for _, block := range last.Content {
			texts = append(texts, block.Text)
		}
		next, ok = m.next(strings.Join(texts, "\n"), last.IsError)
	} else {
		next = m.begin()
	}
	content, reason := map[string]any{"type": "text", "text": m.said}, "end_turn"
	if ok {
		content, reason = map[string]any{"type": "tool_use", "id": "toolu", "name": next.tool, "input": next.arguments},
			"tool_use"
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "msg", "type": "message", "role": "assistant", "model": "script", "content": []any{content},
		"stop_reason": reason,
		"usage":       map[string]any{"input_tokens": 1, "output_tokens": 1},
	})
}
