// Program adopted mimics an existing server that has adopted the middleware: its handlers return
// their own failed results or a Go error. It serves MCP over stdio, and adopted.mjs calls it.
package main

import (
	"context"
	"errors"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// An output is what every tool returns. Clients validate results against its schema.
type output struct {
	ID string `json:"id" jsonschema:"never empty"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "adopted", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: result.RevealAll}))
	long := strings.Repeat("main.go:1: undefined: x\n", 1000)
	image := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	link := &mcp.ResourceLink{URI: "file:///build.log", Name: "build.log"}
	text := func(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }
	for name, fail := range map[string]func() (*mcp.CallToolResult, error){
		"sentence": func() (*mcp.CallToolResult, error) { return failed(nil, text("The moon is in the way.")), nil },
		"long":     func() (*mcp.CallToolResult, error) { return failed(nil, text(long)), nil },
		"blocks": func() (*mcp.CallToolResult, error) {
			return failed(nil, text("The build has failed."), image, link, text("See the log.")), nil
		},
		"json": func() (*mcp.CallToolResult, error) {
			return failed(nil, text(`{"error":"No such order.","order":7}`)), nil
		},
		"structured": func() (*mcp.CallToolResult, error) {
			return failed(map[string]any{"id": 7, "left": 0}, text("Out of stock.")), nil
		},
		"error": func() (*mcp.CallToolResult, error) {
			return nil, errors.New("The moon is in the way.") //nolint:revive,staticcheck // not in the usual style
		},
	} {
		result.AddTool(server, &mcp.Tool{Name: name},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, output, error) {
				res, err := fail()
				return res, output{}, err
			})
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

func failed(structured any, content ...mcp.Content) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: content, StructuredContent: structured}
}
