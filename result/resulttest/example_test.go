package resulttest_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A server whose author forgot the line with result.Middleware.
func ExampleCheck() {
	type lookup struct {
		OrderID string `json:"order_id" jsonschema:"such as ORD-10001"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in lookup) (*mcp.CallToolResult, any, error) {
			if in.OrderID != "ORD-10001" {
				return nil, nil, fmt.Errorf("dial tcp 10.0.0.7:5432: connect: connection refused")
			}
			return nil, map[string]any{"id": in.OrderID}, nil
		})
	report, err := resulttest.Check(context.Background(), connect(server), nil)
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range report.Findings {
		fmt.Printf("%s: %s, %d calls\n", f.Tool, f.Kind, len(f.Calls))
	}
	fmt.Println(report.Findings[0].Mend)
	// Output:
	// get_order: bare_text, 4 calls
	// get_order: leak, 1 calls
	// Put a JSON object in the first text block, with errorCategory, isRetryable, message and hint.
}

// What becomes of a service that is throttled, and then away.
func ExampleFaults() {
	faults := &resulttest.Faults{Script: []resulttest.Fault{resulttest.FaultTooManyRequests, resulttest.FaultResetBefore}}
	client := &http.Client{Transport: faults}
	for range 2 {
		resp, err := client.Get("http://127.0.0.1:1/orders")
		e := toolerr.From(err)
		if err == nil {
			e = toolerr.FromResponse(resp)
		}
		fmt.Println(e.Category, e.Code, e.Effect)
	}
	// Output:
	// transient rate_limited none
	// transient unavailable unknown
}

// connect connects a client to a server in memory.
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
