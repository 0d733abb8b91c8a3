// Agent calls the tool of a server that it starts, twice, and acts on what comes back:
//
//	go run ./agent go run ./server
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

type receipt struct {
	Refund string `json:"refund"`
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("Usage: agent COMMAND [ARGUMENT...]: it starts the server with this command")
	}
	// SafetyOf trusts the server's annotations
	client := &retry.Client{Safety: retry.SafetyOf, Policy: retry.AgentPolicy()}
	client.Policy.AttemptTimeout = time.Minute
	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		server := exec.CommandContext(ctx, os.Args[1], os.Args[2:]...) // killed if it hangs
		server.Stderr = os.Stderr                                      // its log
		agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, client.Options(nil))
		return agent.Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	}
	defer func() { _ = client.Close() }()
	for _, amount := range []float64{650, 40} {
		refund := map[string]any{"order_id": "ORD-7", "amount": amount}
		out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "process_refund", Arguments: refund})
		if decision.Action == retry.ActionVerify && out.Err.IdempotencyKey != "" {
			// The same key: the server refunds once, or says again that it does not know.
			refund["idempotency_key"] = out.Err.IdempotencyKey
			out, decision = client.CallTool(context.Background(), &mcp.CallToolParams{Name: "process_refund", Arguments: refund})
		}
		switch decision.Action { //nolint:exhaustive // the default covers the others
		case retry.ActionAccept: // data, or "nothing found": then out.Kind is result.KindEmpty
			refund, err := result.Decode[receipt](out)
			fmt.Println("done:", refund, err)
		case retry.ActionEscalate:
			fmt.Println("to the customer:", out.Err.CustomerMessage, "- to the model:", out.Err.Hint)
		case retry.ActionVerify:
			fmt.Println("it may have been refunded: look the order up before another call:", out.Err.Hint)
		default: // fix_input, reauthorize, propagate, ...: the model reads it
			fmt.Println("to the model:", out.Text())
		}
	}
}
