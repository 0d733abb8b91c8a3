package result_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	lookup struct {
		Customer string `json:"customer"`
	}
	orders struct {
		Orders []string `json:"orders"`
	}
)

// connect returns a session with server, in memory.
func connect(server *mcp.Server) *mcp.ClientSession {
	ctx := context.Background()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		panic(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "v1"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		panic(err)
	}
	return session
}

// A server whose failures are structured, and a client that reads them.
func Example() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	mcp.AddTool(server, &mcp.Tool{Name: "lookup_order"}, result.Handler(
		func(_ context.Context, _ *mcp.CallToolRequest, in lookup) (*mcp.CallToolResult, orders, error) {
			switch in.Customer {
			case "CUS-1":
				return nil, orders{Orders: []string{"ORD-7"}}, nil
			case "CUS-2":
				return result.Empty("No orders for CUS-2.", nil), orders{}, nil
			}
			return nil, orders{}, toolerr.Validation("No such customer.").WithCode(toolerr.CodeNotFound).WithField("customer")
		}))

	session := connect(server)
	defer func() { _ = session.Close() }()
	for _, id := range []string{"CUS-1", "CUS-2", "CUS-3"} {
		out := result.Parse(session.CallTool(context.Background(), &mcp.CallToolParams{
			Name: "lookup_order", Arguments: lookup{Customer: id},
		}))
		found, err := result.Decode[orders](out)
		fmt.Println(out.Kind, found.Orders, err)
	}
	// Output:
	// data [ORD-7] <nil>
	// empty [] <nil>
	// failure [] No such customer.
}

func ExampleOK() {
	fmt.Println(result.Parse(result.OK(map[string]int{"celsius": 21}), nil).Text())
	// Output: {"celsius":21}
}

func ExampleEmpty() {
	r := result.Empty("No orders for CUS-48291 in the last 90 days.", orders{})
	fmt.Println(r.IsError, result.Parse(r, nil).Kind, result.Parse(r, nil).Text())
	// Output: false empty No orders for CUS-48291 in the last 90 days.
}

func ExampleFailure() {
	r := result.Failure(toolerr.Business("The account is frozen."))
	fmt.Println(r.IsError, result.Parse(r, nil).Err.Category)
	// Output: true business
}

func ExampleParse() {
	out := result.Parse(nil, context.DeadlineExceeded) // what CallTool returns when its context ends
	fmt.Println(out.Kind, out.Err.Code, out.Err.Effect)
	// Output: failure timeout unknown
}

func ExampleDecode() {
	found, err := result.Decode[orders](result.Parse(result.OK(orders{Orders: []string{"ORD-7"}}), nil))
	fmt.Println(found.Orders, err)
	// Output: [ORD-7] <nil>
}
