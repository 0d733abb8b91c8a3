package retry_test

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A read-only tool that fails twice is called three times.
func ExampleClient() {
	server := flakyServer() // usually another program, behind an mcp.CommandTransport
	client := &retry.Client{
		Connect: func(ctx context.Context) (retry.ClientSession, error) {
			serverSide, clientSide := mcp.NewInMemoryTransports()
			if _, err := server.Connect(ctx, serverSide, nil); err != nil {
				return nil, err
			}
			c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"},
				&mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
			return c.Connect(ctx, clientSide, nil)
		},
		Safety: retry.SafetyOf, // the server is trusted
		Policy: retry.Policy{BaseDelay: time.Millisecond},
	}
	defer func() { _ = client.Close() }()
	out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(decision.Action, decision.Attempt, out.Text())
	// Output: accept 3 {"sky":"sunny"}
}

// Middleware adds retries to the client of an existing program.
func ExampleMiddleware() {
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := flakyServer().Connect(context.Background(), serverSide, nil); err != nil {
		panic(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	client.AddSendingMiddleware(retry.Middleware(retry.Policy{BaseDelay: time.Millisecond}, retry.SafetyOf))
	session, err := client.Connect(context.Background(), clientSide, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = session.Close() }()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(res.IsError, err)
	// Output: false <nil>
}

// Input answers the question of a tool that asks a person before it acts.
func ExampleClient_input() {
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	tool := &mcp.Tool{Name: "delete_all", InputSchema: map[string]any{"type": "object"}}
	server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.InputResponses == nil {
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{
				"sure": &mcp.ElicitParams{Message: "Delete all files?", RequestedSchema: map[string]any{"type": "object"}},
			}}, nil
		}
		return result.OK("deleted"), nil
	})
	client := &retry.Client{
		Connect: connectTo(server),
		Input: func(_ context.Context, asks *mcp.CallToolResult) (mcp.InputResponseMap, error) {
			answers := mcp.InputResponseMap{}
			for name, question := range asks.InputRequests {
				if q, ok := question.(*mcp.ElicitParams); ok {
					fmt.Println(q.Message, "yes") // a real program asks a person here
					answers[name] = &mcp.ElicitResult{Action: "accept"}
				}
			}
			return answers, nil
		},
	}
	defer func() { _ = client.Close() }()
	out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "delete_all"})
	fmt.Println(decision.Action, out.Text())
	// Output:
	// Delete all files? yes
	// accept deleted
}

// flakyServer returns an in-memory server whose tool fails twice.
func flakyServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	calls := 0
	tool := &mcp.Tool{Name: "forecast", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	result.AddTool(server, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		if calls++; calls < 3 {
			return nil, nil, toolerr.Transient("The weather station is down.").WithCode(toolerr.CodeUnavailable)
		}
		return nil, map[string]string{"sky": "sunny"}, nil
	})
	return server
}

// connectTo returns a Client.Connect for an in-memory server.
func connectTo(server *mcp.Server) func(context.Context) (retry.ClientSession, error) {
	return func(ctx context.Context) (retry.ClientSession, error) {
		serverSide, clientSide := mcp.NewInMemoryTransports()
		if _, err := server.Connect(ctx, serverSide, nil); err != nil {
			return nil, err
		}
		c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"},
			&mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
		return c.Connect(ctx, clientSide, nil)
	}
}

// An agent that knows only the SDK's types keeps the client as its session.
func ExampleClient_AsSession() {
	client := &retry.Client{Safety: retry.SafetyOf, Connect: connectTo(flakyServer())}
	defer func() { _ = client.Close() }()
	var session interface { // what the agent declares
		ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
		CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
	} = client.AsSession()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "no_such_tool"})
	fmt.Println(err, res.IsError)
	// Output: <nil> true
}
