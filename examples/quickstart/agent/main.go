// Agent calls the tool of a server that it starts, twice, and acts on what
// comes back:
//
//	go run ./agent go run ./server
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// Receipt is what the tool answers.
type Receipt struct {
	Refund string `json:"refund"`
}

func connect(ctx context.Context) (*mcp.ClientSession, error) {
	agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // the SDK's own loop repeats without a pause
	})
	server := exec.Command(os.Args[1], os.Args[2:]...)
	server.Stderr = os.Stderr // its log
	return agent.Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
}

// next says what the agent does now.
func next(out result.Outcome, decision retry.Decision) string {
	switch decision.Action { //nolint:exhaustive // the others are for the model
	case retry.ActionAccept: // data, or a definite "nothing found": then out.Kind is result.KindEmpty
		receipt, err := result.Decode[Receipt](out)
		return fmt.Sprint("done: ", receipt.Refund, err)
	case retry.ActionEscalate:
		return "to the customer: " + out.Err.CustomerMessage // "" where the author gave none
	case retry.ActionVerify:
		return "look the order up before anything else: it may have been refunded"
	default: // fix_input, reauthorize, propagate, ...: the model reads it
		return "to the model: " + out.Text()
	}
}

func main() {
	client := &retry.Client{Connect: connect, Safety: retry.SafetyOf} // believes the annotations of a server that you trust
	defer func() { _ = client.Close() }()
	for _, amount := range []float64{650, 40} {
		out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{
			Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": amount},
		})
		fmt.Println(decision.Action, "after", decision.Attempt, "attempts:", next(out, decision))
	}
}
