package resulttest_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The test of a server without defects. Its tool that is not read-only is called only by the
// cases, one of which needs an order in another state.
func Example() {
	shipped := true // in the upstream
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(quiet))
	result.AddTool(server, &mcp.Tool{Name: "get_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			if in.ID != "ORD-10001" {
				return nil, nil, toolerr.NotFound("order", in.ID)
			}
			return nil, in, nil
		})
	result.AddTool(server, &mcp.Tool{Name: "cancel_order", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, _ order) (*mcp.CallToolResult, any, error) {
			if shipped {
				return nil, nil, toolerr.Business("The order was shipped yesterday.")
			}
			return nil, map[string]bool{"canceled": true}, nil
		})

	session := connect(server)
	defer func() { _ = session.Close() }()
	t := printer{} // in a test, its *testing.T
	resulttest.TestServer(t, session, &resulttest.Options{Cases: []resulttest.Case{
		{Tool: "get_order", Arguments: order{ID: "ORD-10001"}, Kind: result.KindData},
		{Tool: "cancel_order", Arguments: order{ID: "ORD-10001"}, Category: toolerr.CategoryBusiness},
		{
			Tool: "cancel_order", Arguments: order{ID: "ORD-10001"}, Kind: result.KindData,
			Setup: func(testing.TB) { shipped = false },
		},
	}})
	fmt.Println("done")
	// Output: done
}

// If no tool may be called, the test fails because nothing was checked.
func ExampleTestServer() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "cancel_order", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		func(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})

	session := connect(server)
	defer func() { _ = session.Close() }()
	t := printer{} // in a test, its *testing.T
	resulttest.TestServer(t, session, nil)
	// Output:
	// log: cancel_order: not_called: not annotated as read-only
	// fatal: none of the 1 tools was called: annotate tools as read-only, or allow calls with Options.Tools or Options.All
}

func ExampleAssertFailure() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Failure(toolerr.NotFound("file", "a.txt")), nil)
	fmt.Println(resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out))
	// Output: true
}

func ExampleAssertCategory() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Failure(toolerr.Permission("The token has expired.").WithHint("Log in again.")), nil)
	resulttest.AssertCategory(t, toolerr.CategoryTransient, out)
	// Output:
	// error: the category is "permission" instead of "transient": {"isError":true,"errorCategory":"permission","isRetryable":false,"message":"The token has expired.","hint":"Log in again.","effect":"none"}
}

func ExampleAssertCode() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Failure(context.DeadlineExceeded), nil)
	fmt.Println(resulttest.AssertCode(t, toolerr.CodeTimeout, out))
	// Output: true
}

func ExampleAssertEnvelope() {
	t := printer{} // in a test, its *testing.T
	bare := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "not found"}}}
	resulttest.AssertEnvelope(t, result.Parse(bare, nil))
	// Output: error: the outcome is not an envelope: its first text is not a JSON object: not found
}

// Every failure that this module encodes has at least the default hint.
func ExampleAssertHint() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Failure(toolerr.Business("The account is frozen.")), nil)
	fmt.Println(resulttest.AssertHint(t, out))
	// Output: true
}

func ExampleAssertNoLeak() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Failure(toolerr.Validation("open /home/app/data/orders.db: no such file")), nil)
	resulttest.AssertNoLeak(t, out)
	// Output: error: the answer shows a file path: /home/app/data/orders.db
}

func ExampleAssertEmpty() {
	t := printer{} // in a test, its *testing.T
	out := result.Parse(result.Empty("No orders in the last 90 days.", nil), nil)
	fmt.Println(resulttest.AssertEmpty(t, out))
	// Output: true
}

// A printer replaces the *testing.T, which an example does not have. It prints the test's messages.
type printer struct{ testing.TB }

func (printer) Helper() {}

func (printer) Context() context.Context { return context.Background() }

func (printer) Errorf(format string, args ...any) { fmt.Printf("error: "+format+"\n", args...) }

func (printer) Fatalf(format string, args ...any) { fmt.Printf("fatal: "+format+"\n", args...) }

func (printer) Logf(format string, args ...any) { fmt.Printf("log: "+format+"\n", args...) }

type order struct {
	ID string `json:"order_id" jsonschema:"such as ORD-10001"`
}

// quiet discards the log.
var quiet = &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}

// connect returns a session with the server in memory.
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

// The test errors of a store that forgets every claim.
func ExampleTestStore() {
	t := &failures{} // in a test, its *testing.T
	resulttest.TestStore(t, func() idempotency.Store { return new(forgetful) })
	fmt.Println(t.first)
	// Output:
	// random calls: the last of these calls violates the contract:
	// 	Claim of id 1 by owner 4, fingerprint 1, call "1", attempt 1, rerun false
	// 	Claim of id 1 by owner 0, fingerprint 1, call "1", attempt 1, rerun false: Claim returns "claimed", want "running"
}

// A forgetful store accepts every claim.
type forgetful struct{ idempotency.MemoryStore }

// Claim implements [idempotency.Store].
func (*forgetful) Claim(context.Context, idempotency.Request) (idempotency.Claim, error) {
	return idempotency.Claim{State: idempotency.StateClaimed}, nil
}

// Failures replaces the *testing.T, which an example does not have.
type failures struct {
	testing.TB

	first string
}

// Helper implements [testing.TB].
func (*failures) Helper() {}

// Context implements [testing.TB].
func (*failures) Context() context.Context { return context.Background() }

// Errorf implements [testing.TB].
func (f *failures) Errorf(format string, args ...any) {
	if f.first == "" {
		f.first = fmt.Sprintf(format, args...)
	}
}
