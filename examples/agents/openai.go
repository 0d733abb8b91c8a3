package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// runOpenAI runs a loop like those that users of OpenAI's SDK write, because the SDK has none. This
// module, if used, is middleware of the session's client.
func runOpenAI(ctx context.Context, session *mcp.ClientSession, url string) error {
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	params := openai.ChatCompletionNewParams{
		Model:    "scripted",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(task)},
	}
	for _, tool := range list.Tools {
		schema, _ := tool.InputSchema.(map[string]any)
		params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: tool.Name, Description: openai.String(tool.Description), Parameters: schema,
		}))
	}
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	for range maxTurns {
		completion, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return err
		}
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return nil
		}
		params.Messages = append(params.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			text := textOf(session.CallTool(ctx, &mcp.CallToolParams{
				Name: call.Function.Name, Arguments: json.RawMessage(call.Function.Arguments),
			}))
			params.Messages = append(params.Messages, openai.ToolMessage(text, call.ID))
		}
	}
	return nil
}

// textOf returns the texts of a result, or the text of an error: the API has one field for both.
func textOf(res *mcp.CallToolResult, err error) string {
	if err != nil {
		return err.Error()
	}
	var texts []string
	for _, block := range res.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}
