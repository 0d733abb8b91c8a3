package result_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An author's own errors, recognised by a rule and revealed by choice, counted.
func ExampleMiddleware() {
	errSeats := errors.New("no seats left")
	errRoute := errors.New("no flight from HAN to the moon")
	counts := new(result.Counts)
	server := mcp.NewServer(&mcp.Implementation{Name: "flights", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger:  slog.New(slog.DiscardHandler),
		Timeout: 10 * time.Second,
		Counts:  counts,
		Reveal:  func(err error) bool { return errors.Is(err, errRoute) },
		Rules: []toolerr.Rule{func(err error) (*toolerr.Error, bool) {
			return toolerr.Business("The flight is full.").WithCode("full"), errors.Is(err, errSeats)
		}},
	}))
	type flight struct {
		Number string `json:"number"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "book"}, result.Handler(
		func(_ context.Context, _ *mcp.CallToolRequest, in flight) (*mcp.CallToolResult, any, error) {
			return nil, nil, map[string]error{"VN1": errSeats, "VN2": errRoute, "VN3": errors.New("dial 10.0.0.7")}[in.Number]
		}))
	session := connect(server)
	for _, number := range []string{"VN1", "VN2", "VN3"} {
		out := result.Parse(session.CallTool(context.Background(), &mcp.CallToolParams{Name: "book", Arguments: flight{number}}))
		fmt.Println(out.Err.Code, out.Err.Message)
	}
	fmt.Println(counts.Snapshot().Failed, "of", counts.Snapshot().Calls)
	// Output:
	// full The flight is full.
	// internal no flight from HAN to the moon
	// internal The tool failed unexpectedly.
	// 3 of 3
}

// A charge that is made once, however often the call is repeated.
func ExampleKeyed() {
	type charge struct {
		Cents          int    `json:"cents"`
		IdempotencyKey string `json:"idempotency_key,omitempty"`
	}
	type receipt struct {
		Number int `json:"number"`
	}
	made := 0
	server := mcp.NewServer(&mcp.Implementation{Name: "till", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	mcp.AddTool(server, &mcp.Tool{Name: "charge"}, result.Keyed(new(result.Keys),
		func(context.Context, *mcp.CallToolRequest, charge) (*mcp.CallToolResult, receipt, error) {
			made++
			return nil, receipt{Number: made}, nil
		}))
	session := connect(server)
	for _, cents := range []int{40, 40, 99} {
		out := result.Parse(session.CallTool(context.Background(), &mcp.CallToolParams{Name: "charge", Arguments: charge{cents, "k1"}}))
		if out.Err != nil {
			fmt.Println(out.Err.Code, out.Err.Message)
			continue
		}
		fmt.Println(out.Text())
	}
	// Output:
	// {"number":1}
	// {"number":1}
	// conflict This idempotency key was used for a call with other arguments.
}
