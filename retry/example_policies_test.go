package retry_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The policy for an agent that makes one call at a time.
func ExampleAgentPolicy() {
	policy := retry.AgentPolicy() // for Client.Policy
	fmt.Println(policy.MaxAttempts, policy.BaseDelay, policy.Budget.Size)
	// Output: 4 2s 300
}

// A tool retries short failures, and hands up the others with the attempts made.
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
