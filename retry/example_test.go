package retry_test

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func ExamplePolicy_Decide() {
	throttled := toolerr.Transient("Too many calls.").WithCode(toolerr.CodeRateLimited).
		WithEffect(toolerr.EffectNone).WithRetryAfter(2 * time.Second)
	out := result.Parse(result.Failure(throttled), nil)
	d := retry.Policy{}.Decide(out, retry.State{Attempt: 1, Jitter: 0.5})
	fmt.Println(d.Action, d.Delay, "-", d.Reason)

	d = retry.Policy{}.Decide(out, retry.State{Attempt: 3})
	fmt.Println(d.Action, "-", d.Reason)
	// Output:
	// retry 2.5s - the failure is retryable and a repeat is safe
	// propagate - no attempts are left
}

func ExampleDo() {
	attempts := 0
	quick := retry.Policy{BaseDelay: time.Millisecond, Safety: retry.SafetyReadOnly}
	v, err := retry.Do(context.Background(), quick, func(context.Context) (string, error) {
		if attempts++; attempts == 1 {
			return "", context.DeadlineExceeded // the upstream's, not ours
		}
		return "sunny", nil
	})
	fmt.Println(v, err, attempts)
	// Output: sunny <nil> 2
}

// A session that is down; a *mcp.ClientSession in a real program.
type downSession struct{}

func (downSession) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(toolerr.Transient("Down.").WithEffect(toolerr.EffectNone)), nil
}

func ExampleCallTool() {
	policy := retry.Policy{BaseDelay: time.Millisecond}
	out, decision := retry.CallTool(context.Background(), policy, downSession{}, &mcp.CallToolParams{Name: "search"})
	fmt.Println(decision.Action, decision.Attempt, out.Err.Attempted[0].Tool)
	// Output: propagate 3 search
}

func ExampleSafetyOf() {
	read := &mcp.Tool{Name: "lookup_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	fmt.Println(retry.SafetyOf(read), retry.SafetyOf(&mcp.Tool{Name: "process_refund"}))
	// Output: read_only unknown
}
