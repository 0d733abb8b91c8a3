package idempotency_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type payment struct {
	Cents          int    `json:"cents"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

type receipt struct {
	Number int `json:"number"`
}

// A lost reply: the failure returns the key, and a repeat with it does not pay again.
func Example() {
	paid := 0
	server := newTill()
	idempotency.AddTool(server, &mcp.Tool{Name: "pay"}, new(idempotency.Options),
		func(context.Context, *mcp.CallToolRequest, payment) (*mcp.CallToolResult, receipt, error) {
			paid++
			return nil, receipt{}, context.DeadlineExceeded // of the bank's answer
		})

	first := call(server, "pay", payment{Cents: 40})
	fmt.Println(first.Err.Effect, first.Err.IdempotencyKey != "")
	again := call(server, "pay", payment{Cents: 40, IdempotencyKey: first.Err.IdempotencyKey})
	fmt.Println(again.Err.Effect, again.Err.Retryable, paid)
	// Output:
	// unknown true
	// unknown false 1
}

// A charge that is made only once, however often the call is repeated.
func ExampleAddTool() {
	made := 0
	server := newTill()
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, new(idempotency.Options),
		func(context.Context, *mcp.CallToolRequest, payment) (*mcp.CallToolResult, receipt, error) {
			made++
			return nil, receipt{Number: made}, nil
		})
	for _, cents := range []int{40, 40, 99} {
		out := call(server, "charge", payment{cents, "k1"})
		if out.Err != nil {
			fmt.Println(out.Err.Code, out.Err.Message)
			continue
		}
		fmt.Println(out.Text())
	}
	// Output:
	// {"number":1}
	// {"number":1}
	// conflict This idempotency key was used for a call with other arguments, which was carried out. This call was not.
}

// The handler of a tool that is added without AddTool. The service itself is idempotent, so that
// the handler may run again.
func ExampleHandler() {
	replies := []error{context.DeadlineExceeded, nil}
	opts := &idempotency.Options{
		Store: new(idempotency.MemoryStore), UpstreamDedupes: true,
		Principal: func(*mcp.CallToolRequest) string { return "ann" },
	}
	handler := idempotency.Handler(opts,
		func(_ context.Context, _ *mcp.CallToolRequest, in payment) (*mcp.CallToolResult, receipt, error) {
			reply := replies[0]
			replies = replies[1:]
			return nil, receipt{Number: len(in.IdempotencyKey)}, reply // the key is passed to the service
		})
	server := newTill()
	mcp.AddTool(server, &mcp.Tool{Name: "charge"}, handler)
	for range 3 {
		out := call(server, "charge", payment{40, "k1"})
		fmt.Println(out.Kind, out.AsError())
	}
	// Output:
	// failure No answer came in time.
	// data <nil>
	// data <nil>
}

// The calls of a store for a first call and its repeat. They are the same for a database.
func ExampleMemoryStore() {
	ctx := context.Background()
	store := &idempotency.MemoryStore{MaxAge: time.Hour}
	first := idempotency.Request{ID: "call-1", Fingerprint: "arguments", Owner: "a", Lease: time.Minute}
	claim, err := store.Claim(ctx, first)
	fmt.Println(claim.State, err) // this owner executes the call

	repeat := first
	repeat.Owner = "b"
	claim, err = store.Claim(ctx, repeat)
	fmt.Println(claim.State, err)

	fmt.Println(store.Finish(ctx, "call-1", "a",
		idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte("paid")}))
	claim, err = store.Claim(ctx, repeat)
	fmt.Println(claim.State, string(claim.Answer), err)
	// Output:
	// claimed <nil>
	// running <nil>
	// <nil>
	// answered paid <nil>
}

// The id of a customer's call in the store, for an operator who has the key. In another scope it
// is another call.
func ExampleOptions_ID() {
	for _, scope := range []string{"eu", "us"} {
		opts := &idempotency.Options{Scope: scope}
		fmt.Println(opts.ID("user-17", "process_refund", "refund-ORD-7"))
	}
	// Output:
	// d72592439bebae5ce2802b0625d7d3f7
	// c55a31879c8a25bde5d1ed55a1e2ec2d
}

// A duplicate of an attempt is the same attempt, and so is one that arrives late.
func ExampleRequest_SameAttempt() {
	failed := idempotency.Request{Call: "c", Attempt: 2}
	for _, later := range []idempotency.Request{
		{Call: "c", Attempt: 2}, {Call: "c", Attempt: 1}, {Call: "c", Attempt: 3}, {Call: "d", Attempt: 1},
	} {
		fmt.Println(later.SameAttempt(failed))
	}
	// Output:
	// true
	// true
	// false
	// false
}

// The claims that a store returns for a record.
func ExampleRecord_Tell() {
	now := time.Now()
	known := idempotency.Record{
		Request:   idempotency.Request{ID: "call-1", Fingerprint: "arguments", Owner: "a"},
		LeaseEnds: now.Add(10 * time.Second),
	}
	repeat := idempotency.Request{ID: "call-1", Fingerprint: "arguments", Owner: "b"}
	fmt.Println(known.Tell(repeat, now).State)
	fmt.Println(known.Tell(repeat, now.Add(time.Minute)).State) // the owner has exited
	repeat.Rerun = true
	fmt.Println(known.Tell(repeat, now.Add(time.Minute)).State)
	// Output:
	// running
	// abandoned
	// claimed
}

// newTill returns a server with structured failures.
func newTill() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "till", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	return server
}

// call connects to the server in memory and calls a tool.
func call(server *mcp.Server, tool string, arguments any) result.Outcome {
	ctx := context.Background()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		panic(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "v1"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = session.Close() }()
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments}))
}
