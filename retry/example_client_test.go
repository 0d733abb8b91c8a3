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

// A server in memory whose tool is down at first.
func flakyServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	calls := 0
	tool := &mcp.Tool{Name: "forecast", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	mcp.AddTool(server, tool, result.Handler(func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		if calls++; calls < 3 {
			return nil, nil, toolerr.Transient("The weather station does not answer.").WithCode(toolerr.CodeUnavailable)
		}
		return nil, map[string]string{"sky": "sunny"}, nil
	}))
	return server
}

func ExampleClient() {
	server := flakyServer()
	client := &retry.Client{
		Connect: func(ctx context.Context) (*mcp.ClientSession, error) {
			serverSide, clientSide := mcp.NewInMemoryTransports() // an mcp.CommandTransport in a real program
			if _, err := server.Connect(ctx, serverSide, nil); err != nil {
				return nil, err
			}
			c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"},
				&mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
			return c.Connect(ctx, clientSide, nil)
		},
		Safety: retry.SafetyOf, // a server that one trusts
		Policy: retry.Policy{BaseDelay: time.Millisecond},
	}
	defer func() { _ = client.Close() }()
	out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(decision.Action, decision.Attempt, out.Text())
	// Output: accept 3 {"sky":"sunny"}
}

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
	// The rest of the program knows nothing of it.
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(res.IsError, err)
	// Output: false <nil>
}

// A session whose file does not exist.
type noFile struct{}

func (noFile) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(toolerr.NotFound("file", "sesion.ts", "session.ts")), nil
}

// A model that makes the same mistake again and again is told more firmly each
// time, and the server is left alone.
func ExampleGuard() {
	policy := retry.Policy{Guard: new(retry.Guard)}
	for range 4 {
		out, d := retry.CallTool(context.Background(), policy, noFile{}, &mcp.CallToolParams{
			Name: "read_file", Arguments: map[string]any{"path": "sesion.ts"},
		})
		fmt.Println(d.Attempt, out.Err.Hint)
	}
	// Output:
	// 1 Did you mean "session.ts"? Call again with exactly that, or ask the user.
	// 0 Call again with other arguments: Did you mean "session.ts"? Call again with exactly that, or ask the user.
	// 0 You have been told already. Do not make this call again. Call again with other arguments: Did you mean "session.ts"? Call again with exactly that, or ask the user.
	// 0 Stop. This call of read_file will not be sent, however often you make it. Tell the user now what you could not do, and why.
}

func ExampleBudget() {
	policy := retry.Policy{Budget: new(retry.Budget), BaseDelay: -1} // one for all callers of a server
	attempts := 0
	for range 100 {
		_, _ = retry.Do(context.Background(), policy, func(context.Context) (string, error) {
			attempts++
			return "", toolerr.Transient("Down.").WithEffect(toolerr.EffectNone)
		})
	}
	fmt.Println(attempts, "attempts for 100 calls, not 300")
	// Output: 104 attempts for 100 calls, not 300
}
