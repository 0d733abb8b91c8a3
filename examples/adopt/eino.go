package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/cloudwego/eino-ext/components/tool/mcp/officialmcp"
	"github.com/cloudwego/eino-ext/components/tool/mcp/officialmcp/session"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

// asTexts lets eino's model read a failed result, which by default ends the agent's run.
var asTexts = &officialmcp.ResultPolicy{ErrorAsError: new(bool)}

// einoAlone runs eino's ReAct agent on eino's own session, which reconnects by itself.
func einoAlone(ctx context.Context, s *script, p *program) error {
	own, err := session.Connect(ctx, session.ServerConfig{Transport: session.TransportConfig{
		Type: session.TransportStdio, Command: p.path, Env: p.environment(),
	}})
	if err != nil {
		return err
	}
	defer func() { _ = own.Close() }()
	return runEino(ctx, s, own, asTexts)
}

// einoAdopted is einoAlone on a session of this module.
func einoAdopted(ctx context.Context, s *script, p *program) error {
	client := newClient(p)
	defer func() { _ = client.Close() }()
	return runEino(ctx, s, client.AsSession(), asTexts)
}

func runEino(ctx context.Context, s *script, on officialmcp.ClientSession, results *officialmcp.ResultPolicy) error {
	tools, err := officialmcp.GetTools(ctx, &officialmcp.Config{Cli: on, ResultPolicy: results})
	if err != nil {
		return err
	}
	desk, err := react.NewAgent(ctx,
		&react.AgentConfig{ToolCallingModel: einoModel{s}, ToolsConfig: compose.ToolsNodeConfig{Tools: tools}})
	if err != nil {
		return err
	}
	_, err = desk.Generate(ctx, []*schema.Message{schema.UserMessage(s.name)})
	return err
}

// An einoModel is a script that plays eino's model.
type einoModel struct{ *script }

// WithTools returns m, because a script already knows its tools.
func (m einoModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

func (m einoModel) Generate(_ context.Context, messages []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	next, ok := call{}, true
	if last := messages[len(messages)-1]; last.Role == schema.Tool {
		next, ok = m.next(einoText(last.Content))
	} else {
		next = m.begin()
	}
	if !ok {
		return schema.AssistantMessage(m.said, nil), nil
	}
	return schema.AssistantMessage("",
		[]schema.ToolCall{{
			ID: "call", Type: "function",
			Function: schema.FunctionCall{Name: next.tool, Arguments: next.raw()},
		}}), nil
}

func (m einoModel) Stream(
	ctx context.Context, messages []*schema.Message, opts ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	message, err := m.Generate(ctx, messages, opts...)
	return schema.StreamReaderFromArray([]*schema.Message{message}), err
}

// einoText returns the texts of a result, which eino passes to the model as JSON.
func einoText(content string) (text string, failed bool) {
	var res struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if err := json.Unmarshal([]byte(content), &res); err != nil {
		return content, true
	}
	texts := make([]string, 0, len(res.Content))
	for _, block := range res.Content {
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n"), res.IsError
}
