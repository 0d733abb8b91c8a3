package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// kinds lists the servers. Only the last uses this module for its failures.
var kinds = []struct {
	name, what string
	fails      func() (*mcp.CallToolResult, error) // the answer to a call for another order
}{
	{"constant", "one useless envelope for every mistake", failing(`{"isError":true,"errorCategory":"transient",` +
		`"isRetryable":false,"code":"failed","message":"Something went wrong.","hint":"Try something else."}`)},
	{"password", "a database password in a failure", failing(`{"isError":true,"errorCategory":"transient",` +
		`"isRetryable":false,"code":"unavailable",` +
		`"message":"order_id: cannot reach postgres://admin:hunter2hunter2@db/orders","hint":"Tell the operators."}`)},
	{"data", "failures told as data", func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Error: order_id is not known"}}}, nil
	}},
	{"dies", "dies at a wrong argument", func() (*mcp.CallToolResult, error) {
		os.Exit(3)
		return nil, nil
	}},
	{"twice", "books again under the same key", failing(`{"isError":true,"errorCategory":"validation",` +
		`"isRetryable":false,"message":"order_id is not known","hint":"Call find first."}`)},
	{"bare", "texts", failing("order_id is not known")},
	{"ours", "toolerr-go", nil},
}

func failing(text string) func() (*mcp.CallToolResult, error) {
	return func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

type in struct {
	OrderID string `json:"order_id"`
	Key     string `json:"idempotency_key"`
}

const schema = `{"type":"object","required":["order_id"],"additionalProperties":false,"properties":{
	"order_id":{"type":"string","description":"such as ORD-10001"},
	"idempotency_key":{"type":"string","description":"send the same key to repeat a call"}}}`

// newServer returns a server of this kind, with a tool that finds an order. The server "twice" also
// has a tool that pays the order and ignores its key.
func newServer(kind string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: kind, Version: "v1"}, nil)
	if kind == "ours" {
		server.AddReceivingMiddleware(result.Middleware(nil))
	}
	booked := 0
	add := func(tool *mcp.Tool, work func(in) any) {
		tool.InputSchema = json.RawMessage(schema)
		server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var args in
			err := json.Unmarshal(req.Params.Arguments, &args)
			var members map[string]any
			_ = json.Unmarshal(req.Params.Arguments, &members)
			delete(members, "order_id")
			delete(members, "idempotency_key")
			if err == nil && args.OrderID == "ORD-10001" && len(members) == 0 {
				return result.OK(work(args)), nil
			}
			for _, k := range kinds {
				if k.name == kind && k.fails != nil {
					return k.fails()
				}
			}
			return result.Failure(toolerr.InvalidArgument("order_id", args.OrderID,
				"an order such as ORD-10001, and nothing else but idempotency_key")), nil
		})
	}
	add(&mcp.Tool{Name: "find", Description: "Finds an order.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(args in) any {
			return map[string]any{"orders": []string{args.OrderID}, "booked": booked}
		})
	if kind == "twice" {
		add(&mcp.Tool{Name: "pay", Description: "Pays an order."}, func(in) any {
			booked++
			return map[string]any{"payment_id": fmt.Sprint("P-", booked)}
		})
	}
	return server
}
