package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A server with structured failures, and a client that reads them.
func Example() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	result.AddTool(server, &mcp.Tool{Name: "lookup_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in customer) (*mcp.CallToolResult, found, error) {
			switch in.ID {
			case "CUS-1":
				return nil, found{Orders: []string{"ORD-7"}}, nil
			case "CUS-2":
				return result.Empty("No orders for CUS-2.", nil), found{}, nil
			}
			return nil, found{}, toolerr.Validation("No such customer.").WithCode(toolerr.CodeNotFound).WithField("id")
		})

	session := connect(server)
	defer func() { _ = session.Close() }()
	for _, id := range []string{"CUS-1", "CUS-2", "CUS-3"} {
		out := result.Parse(session.CallTool(context.Background(),
			&mcp.CallToolParams{Name: "lookup_order", Arguments: customer{ID: id}}))
		answer, err := result.Decode[found](out)
		fmt.Println(out.Kind, answer.Orders, err)
	}
	// Output:
	// data [ORD-7] <nil>
	// empty [] <nil>
	// failure [] No such customer.
}

// A tool whose upstream is overloaded sends the wait that the upstream asked for.
func Example_upstream() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), CorrelationID: func(context.Context) string { return "1" },
	}))
	result.AddTool(server, &mcp.Tool{Name: "lookup_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, customer) (*mcp.CallToolResult, found, error) {
			upstream := &http.Response{
				StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"7"}}, Body: http.NoBody,
			}
			if failure := toolerr.FromResponse(upstream); failure != nil {
				return nil, found{}, failure
			}
			return nil, found{Orders: []string{"ORD-7"}}, nil
		})
	fmt.Println(call(server, "lookup_order", customer{ID: "CUS-1"}).Text())
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"code":"rate_limited","message":"Too many calls were made; no more are taken for now.","hint":"Wait for retryAfterMs, then retry the same call.","retryAfterMs":7000,"effect":"none","correlationId":"1"}
}

// A batch that stops in the middle fails with what was done, and says where to continue.
func Example_batch() {
	server := mcp.NewServer(&mcp.Implementation{Name: "mail", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), CorrelationID: func(context.Context) string { return "1" },
	}))
	type batch struct {
		ContinueFrom int `json:"continue_from,omitempty"`
	}
	result.AddTool(server, &mcp.Tool{Name: "send_all"},
		func(context.Context, *mcp.CallToolRequest, batch) (*mcp.CallToolResult, any, error) {
			return nil, nil, toolerr.RateLimited("The mail service is busy.", 7*time.Second).WithPartial(&toolerr.Partial{
				Processed: 2, Total: 5, ContinueFrom: 2, Results: json.RawMessage(`["M-1","M-2"]`),
			})
		})
	fmt.Println(call(server, "send_all", batch{}).Text())
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"code":"rate_limited","message":"The mail service is busy.","hint":"Wait for retryAfterMs, then call again from partial.continueFrom.","retryAfterMs":7000,"effect":"applied","correlationId":"1","partial":{"processed":2,"total":5,"continueFrom":2,"results":["M-1","M-2"]}}
}

// The text of an unclassified error is masked: the agent gets a generic message and a
// correlation id, and the log has the cause.
func ExampleMiddleware() {
	server := mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), // by default slog.Default()
	}))
	result.AddTool(server, &mcp.Tool{Name: "book"},
		func(context.Context, *mcp.CallToolRequest, flight) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New("pq: the server at 10.0.0.7 hung up on user admin")
		})
	out := call(server, "book", flight{"VN1"})
	fmt.Println(out.Err.Code, out.Err, len(out.Err.CorrelationID) > 0)
	// Output: internal The tool failed unexpectedly. true
}

// A rule classifies an author's own errors, and Reveal selects errors whose text is sent.
func ExampleMiddlewareOptions() {
	errSeats := errors.New("no seats left")
	errRoute := errors.New("destination MOON not found")
	server := mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		Reveal: func(err error) bool { return errors.Is(err, errRoute) },
		Rules: []toolerr.Rule{func(err error) (*toolerr.Error, bool) {
			return toolerr.Business("The flight is full.").WithCode("full"), errors.Is(err, errSeats)
		}},
	}))
	result.AddTool(server, &mcp.Tool{Name: "book"},
		func(_ context.Context, _ *mcp.CallToolRequest, in flight) (*mcp.CallToolResult, any, error) {
			return nil, nil, map[string]error{"VN1": errSeats, "VN2": errRoute}[in.Number]
		})
	for _, number := range []string{"VN1", "VN2"} {
		out := call(server, "book", flight{number})
		fmt.Println(out.Err.Category, out.Err.Code, out.Err)
	}
	// Output:
	// business full The flight is full.
	// validation not_found destination MOON not found
}

// An existing server: the texts of its errors stay. What their types say stands beside them.
func ExampleRevealAll() {
	add := func(server *mcp.Server) *mcp.Server {
		mcp.AddTool(server, &mcp.Tool{Name: "book"},
			func(_ context.Context, _ *mcp.CallToolRequest, in flight) (*mcp.CallToolResult, any, error) {
				if in.Number == "" {
					return nil, nil, errors.New("number is required to book a flight")
				}
				return nil, nil, fmt.Errorf("booking %s: %w", in.Number, context.DeadlineExceeded)
			})
		return server
	}
	before := add(mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil))
	after := add(mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil))
	after.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealAll,
		CorrelationID: func(context.Context) string { return "t-17" },
	}))
	for _, number := range []string{"", "VN1"} {
		for _, server := range []*mcp.Server{before, after} {
			session := connect(server)
			res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "book", Arguments: flight{number}})
			if err != nil {
				panic(err)
			}
			if text, ok := res.Content[0].(*mcp.TextContent); ok {
				fmt.Println(text.Text)
			}
			_ = session.Close()
		}
	}
	// Output:
	// number is required to book a flight
	// {"isError":true,"isRetryable":false,"message":"number is required to book a flight","correlationId":"t-17"}
	// booking VN1: context deadline exceeded
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"code":"timeout","message":"booking VN1: context deadline exceeded","hint":"Before calling again, check whether the call took effect. Wait a minute first.","effect":"unknown","correlationId":"t-17"}
}

// From the error of a client library, only the service's message is sent.
func ExampleRevealServices() {
	server := mcp.NewServer(&mcp.Implementation{Name: "issues", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealServices,
	}))
	result.AddTool(server, &mcp.Tool{Name: "list_issues"},
		func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, fmt.Errorf("with token ghp_abc: %w",
				&apiError{StatusCode: 410, Message: "Issues has been disabled in this repository."})
		})
	out := call(server, "list_issues", nil)
	fmt.Println(out.Err.Category, out.Err.Code, "-", out.Err)
	// Output: validation not_found - Issues has been disabled in this repository.
}

// An apiError is like the errors of many client libraries.
type apiError struct {
	StatusCode int
	Message    string
}

func (e *apiError) Error() string {
	return fmt.Sprintf("GET https://api.example.com/?key=123: %d", e.StatusCode)
}

// A handler that takes too long is canceled, and the agent gets a timeout.
func ExampleMiddlewareOptions_timeout() {
	server := mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), Timeout: time.Millisecond,
	}))
	result.AddTool(server, &mcp.Tool{Name: "search"},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ flight) (*mcp.CallToolResult, any, error) {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	out := call(server, "search", flight{"VN1"})
	fmt.Println(out.Err.Code, out.Err)
	// Output: timeout The tool did not finish within its time limit of 1ms.
}

// A nil list is sent as an empty one, and a failed result keeps its envelope.
func ExampleAddTool() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	result.AddTool(server, &mcp.Tool{Name: "lookup_order"},
		func(_ context.Context, _ *mcp.CallToolRequest, in customer) (*mcp.CallToolResult, found, error) {
			if in.ID != "CUS-1" {
				return result.Failure(toolerr.NotFound("customer", in.ID)), found{}, nil
			}
			return nil, found{}, nil
		})
	fmt.Println(call(server, "lookup_order", customer{"CUS-1"}).Text())
	fmt.Println(call(server, "lookup_order", customer{"CUS-2"}).Err)
	// Output:
	// {"orders":[]}
	// There is no customer "CUS-2".
}

// A handler that is added by a function of the server's own.
func ExampleHandler() {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
	add := func(name string, h mcp.ToolHandlerFor[customer, found]) {
		mcp.AddTool(server, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, result.Handler(h))
	}
	add("lookup_order", func(context.Context, *mcp.CallToolRequest, customer) (*mcp.CallToolResult, found, error) {
		return nil, found{}, nil
	})
	fmt.Println(call(server, "lookup_order", customer{"CUS-1"}).Text())
	// Output: {"orders":[]}
}

// Telemetry without a dependency.
func ExampleMiddlewareOptions_onCall() {
	server := mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		OnCall: func(_ context.Context, call result.FinishedCall) {
			fmt.Println(call.Tool, call.Kind, toolerr.CodeOf(call.Err))
		},
	}))
	result.AddTool(server, &mcp.Tool{Name: "book"},
		func(_ context.Context, _ *mcp.CallToolRequest, in flight) (*mcp.CallToolResult, any, error) {
			if in.Number == "VN1" {
				return nil, nil, toolerr.Business("The flight is full.").WithCode("full")
			}
			return nil, "booked", nil
		})
	call(server, "book", flight{"VN1"})
	call(server, "book", flight{"VN2"})
	// Output:
	// book failure full
	// book data
}

type (
	customer struct {
		ID string `json:"id"`
	}
	found struct {
		Orders []string `json:"orders"`
	}
	flight struct {
		Number string `json:"number"`
	}
)

// call connects to the server in memory and calls a tool.
func call(server *mcp.Server, tool string, arguments any) result.Outcome {
	session := connect(server)
	defer func() { _ = session.Close() }()
	return result.Parse(session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments}))
}

// connect returns a session with the server in memory.
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
