package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serve is a server of some kind, on stdin and stdout.
func serve(how []string) {
	switch how[0] {
	case "nothing":
		_, _ = os.Stderr.WriteString("\x1b[31mno database\x1b[0m\n")
		os.Exit(1)
	case "family": // starts a child that outlives it, and writes its id to a file
		child := exec.Command(os.Args[0], "-serve", "sleep")
		if child.Start() != nil || os.WriteFile(how[1], []byte(strconv.Itoa(child.Process.Pid)), 0o600) != nil {
			os.Exit(1)
		}
	case "sleep":
		time.Sleep(time.Minute) // until it is killed, which is what the test sees to
	}
	server := newServer(how[0])
	if how[0] == "hostile" {
		server = newHostileServer()
	}
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

type in struct {
	OrderID string `json:"order_id" jsonschema:"such as ORD-10001"`
}

type out struct {
	Orders []string `json:"orders"`
}

// newServer has a tool that reads and one that writes. How says what is wrong.
func newServer(how string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1\x1b[31m"}, nil)
	if how != "bare" {
		server.AddReceivingMiddleware(result.Middleware(nil))
	}
	handler := func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, out, error) {
		if how == "dies" && in.OrderID != "ORD-10001" {
			os.Exit(7)
		}
		if how == "masks" && in.OrderID != "ORD-10001" {
			return nil, out{}, errors.New("the shelf is bare")
		}
		if how == "misleads" && in.OrderID != "ORD-10001" {
			return nil, out{}, toolerr.NotFound("order", in.OrderID).WithHint("Call list_orders first.")
		}
		return nil, out{Orders: []string{in.OrderID}}, nil
	}
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: how != "writes"}}, handler)
	makes := &mcp.Tool{Name: "make", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}
	if how == "mute" {
		makes.Annotations = nil
	}
	result.AddTool(server, makes, handler)
	return server
}

// hostileText wants out of every place that a report may put it in.
const hostileText = `</pre></style></title>"'><script>pwned=1</script><img src=x onerror=pwned=1><svg onload=pwned=1>` +
	`<a href="javascript:pwned=1">{{.}}${{ '$(pwned)' }}]]>--><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">` +
	"\x1b[31m\u202egnihton\u2066\x00\x07\r\n"

// newHostileServer returns a server whose texts attack the reader of a report.
func newHostileServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: hostileText, Version: hostileText}, nil)
	schema, err := json.Marshal(map[string]any{
		"type": "object", "required": []string{hostileText},
		"properties": map[string]any{hostileText: map[string]any{"type": "string", "enum": []string{hostileText}}},
	})
	if err != nil {
		panic(err)
	}
	for i, name := range []string{hostileText, strings.Repeat("long", 2000), "\u202e\x1b[2J"} {
		tool := &mcp.Tool{Name: name, InputSchema: json.RawMessage(schema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
		server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text := hostileText + strings.Repeat("wide", 1<<18)
			return &mcp.CallToolResult{IsError: i > 0, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	}
	server.AddTool(&mcp.Tool{Name: "unseen" + hostileText, InputSchema: json.RawMessage(schema)}, nil)
	return server
}
