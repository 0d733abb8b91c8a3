package servertest_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A server without result.Middleware.
func Example() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			if in.ID != "ORD-10001" {
				return nil, nil, fmt.Errorf("dial tcp 10.0.0.7:5432: connect: connection refused")
			}
			return nil, map[string]any{"id": in.ID}, nil
		})
	session := connect(server)
	defer func() { _ = session.Close() }()
	report, err := servertest.Check(context.Background(), session, nil)
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range report.Findings {
		fmt.Printf("%s: %s, %d calls\n", f.Tool, f.Kind, len(f.Calls))
	}
	fmt.Println(report.Findings[0].Fix)
	// Output:
	// get_order: bare_text, 4 calls
	// get_order: leak, 1 calls
	// Put a JSON object with errorCategory, isRetryable, message and hint in the first text block.
}

// The tier of a server whose failures are plain text that names the argument.
func ExampleTier() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			return nil, in, nil
		})
	session := connect(server)
	defer func() { _ = session.Close() }()
	report, err := servertest.Check(context.Background(), session, nil)
	fmt.Println(report.Tier, report.Score, report.Failures[servertest.TierReadable], err)
	// Output: readable 49 3 <nil>
}

// The tool that is not read-only is called only by the case.
func ExampleCheck() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "cancel_order", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		func(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, any, error) {
			return result.Failure(toolerr.Business("The order was shipped yesterday.")), nil, nil
		})
	session := connect(server)
	defer func() { _ = session.Close() }()
	report, err := servertest.Check(context.Background(), session, &servertest.Options{Cases: []servertest.Case{
		{Tool: "cancel_order", Arguments: order{ID: "ORD-10001"}, Category: toolerr.CategoryPermission},
	}})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f.Kind, f.Detail)
	}
	// Output: unexpected the category is "business" instead of "permission"
}

func ExampleLeaks() {
	out := result.Parse(result.Failure(toolerr.Validation("open /home/app/orders.db: lookup db.internal: no such host")),
		nil)
	for _, leak := range servertest.Leaks(out) {
		fmt.Println(leak)
	}
	// Output:
	// an internal host: lookup db.internal
	// a file path: /home/app/orders.db
}

type order struct {
	ID string `json:"order_id" jsonschema:"such as ORD-10001"`
}

// connect returns an in-memory session with a server.
func connect(server *mcp.Server) *mcp.ClientSession {
	ctx := context.Background()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		panic(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		panic(err)
	}
	return session
}
