package main

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicmcp "github.com/anthropics/anthropic-sdk-go/mcp"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// runAnthropic runs the tool runner of Anthropic's SDK with that SDK's MCP tools, as documented. If
// used, this module is middleware on the session's client.
func runAnthropic(ctx context.Context, session *mcp.ClientSession, url string, opts ...option.RequestOption) error {
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	tools, err := anthropicmcp.NewBetaTools(list.Tools, session)
	if err != nil {
		return err
	}
	client := anthropic.NewClient(append([]option.RequestOption{
		option.WithBaseURL(url), option.WithAPIKey("none"),
		option.WithMaxRetries(0),
	}, opts...)...)
	runner := client.Beta.Messages.NewToolRunner(tools, anthropic.BetaToolRunnerParams{
		BetaMessageNewParams: anthropic.BetaMessageNewParams{
			Model: "scripted", MaxTokens: 1000,
			Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(task))},
		},
		MaxIterations: maxTurns,
	})
	_, err = runner.RunToCompletion(ctx)
	return err
}
