package retry_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An agent that waits for its answers has patience.
func ExampleAgentPolicy() {
	policy := retry.AgentPolicy() // the Policy of a Client
	fmt.Println(policy.MaxAttempts, policy.BaseDelay, policy.Budget.Size)
	// Output: 4 2s 300
}

// A tool tries again what may pass at once, and hands up what does not.
func ExampleToolPolicy() {
	policy := retry.ToolPolicy()
	policy.Safety = retry.SafetyReadOnly
	_, err := retry.Do(context.Background(), policy, func(context.Context) (string, error) {
		return "", syscall.ECONNRESET
	})
	var failure *toolerr.Error
	fmt.Println(errors.As(err, &failure), failure.Attempted[0].Attempts, failure.Code)
	// Output: true 3 unavailable
}
