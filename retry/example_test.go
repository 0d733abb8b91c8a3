package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// desk is a session with a server that makes refunds.
type desk struct{}

func (desk) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	arguments, _ := params.Arguments.(map[string]any)
	switch arguments["amount"] {
	case 650:
		return result.Failure(toolerr.LimitExceeded("Over the limit of $500.", "A colleague has to approve this refund.")), nil
	case 41:
		return nil, context.DeadlineExceeded // the reply was lost
	}
	return result.OK("refunded"), nil
}

// An agent acts on the decision.
func Example() {
	for _, amount := range []int{40, 41, 650} {
		out, decision := retry.CallTool(context.Background(), retry.Policy{}, desk{}, &mcp.CallToolParams{
			Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": amount},
		})
		switch decision.Action {
		case retry.ActionAccept:
			fmt.Println(out.Text())
		case retry.ActionVerify:
			fmt.Println("look up ORD-7:", decision.Reason.Sentence())
		case retry.ActionEscalate:
			fmt.Println("tell the customer:", out.Err.CustomerMessage)
		case retry.ActionFixInput, retry.ActionReauthorize, retry.ActionProvideInput, retry.ActionPropagate, retry.ActionRetry:
			fmt.Println("the model reads:", out.Text())
		}
	}
	// Output:
	// refunded
	// look up ORD-7: the call may have taken effect
	// tell the customer: A colleague has to approve this refund.
}

// The waits of the zero policy, with the middle of each window.
func ExamplePolicy() {
	down := result.Outcome{Kind: result.KindFailure, Err: toolerr.Transient("Down.")}
	for attempt := 1; attempt <= 3; attempt++ {
		d := retry.Policy{}.Decide(down, retry.State{Attempt: attempt, Jitter: 0.5})
		fmt.Println(d.Action, d.Delay)
	}
	// Output:
	// retry 250ms
	// retry 500ms
	// propagate 0s
}

// The random wait is added to the server's hint.
func ExamplePolicy_Decide() {
	throttled := toolerr.RateLimited("Too many calls.", 2*time.Second)
	out := result.Parse(result.Failure(throttled), nil)
	d := retry.Policy{}.Decide(out, retry.State{Attempt: 1, Jitter: 0.5})
	fmt.Println(d.Action, d.Delay, "because", d.Reason.Sentence())
	// Output: retry 2.5s because the failure is retryable and a repeat is safe
}

// A read-only function is repeated after a timeout.
func ExampleDo() {
	attempts := 0
	policy := retry.Policy{BaseDelay: time.Millisecond, Safety: retry.SafetyReadOnly}
	v, err := retry.Do(context.Background(), policy, func(context.Context) (string, error) {
		if attempts++; attempts == 1 {
			return "", context.DeadlineExceeded // of the upstream, not of ctx
		}
		return "sunny", nil
	})
	fmt.Println(v, err, attempts)
	// Output: sunny <nil> 2
}

// The error has the last error, and the reason why it was not repeated.
func ExampleError() {
	errDown := toolerr.Transient("The weather station is down.").WithCode(toolerr.CodeUnavailable)
	_, err := retry.Do(context.Background(), retry.Policy{BaseDelay: time.Millisecond}, func(context.Context) (string, error) {
		return "", errDown
	})
	var gaveUp *retry.Error
	if errors.As(err, &gaveUp) {
		fmt.Println(gaveUp.Decision.Action, gaveUp.Decision.Attempt, gaveUp.Decision.Reason)
	}
	fmt.Println(errors.Is(err, errDown), toolerr.CodeOf(err))
	// Output:
	// propagate 3 no_attempts_left
	// true unavailable
}

// The final failure lists the attempts.
func ExampleCallTool() {
	policy := retry.Policy{BaseDelay: time.Millisecond}
	out, decision := retry.CallTool(context.Background(), policy, closed{}, &mcp.CallToolParams{Name: "search"})
	fmt.Println(decision.Action, decision.Attempt)
	fmt.Println(out.Err.Attempted[0].Tool, out.Err.Attempted[0].Attempts)
	// Output:
	// propagate 3
	// search 3
}

// closed is a session with a server that temporarily refuses all calls.
type closed struct{}

func (closed) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(toolerr.Transient("Down.").WithEffect(toolerr.EffectNone)), nil
}

func ExampleSafetyOf() {
	read := &mcp.Tool{Name: "lookup_order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	fmt.Println(retry.SafetyOf(read), retry.SafetyOf(&mcp.Tool{Name: "process_refund"}))
	// Output: read_only unknown
}

func ExampleAction() {
	decided := map[string]retry.Action{"search": retry.ActionRetry}
	encoded, _ := json.Marshal(decided)
	fmt.Println(decided["search"], string(encoded))
	// Output: retry {"search":"retry"}
}

// A reason is a word for programs and logs. Its sentence is for people.
func ExampleReason() {
	d := retry.Policy{}.Decide(result.Parse(nil, context.DeadlineExceeded), retry.State{})
	fmt.Println(d.Action, d.Reason)
	fmt.Printf("Not repeated, because %s.\n", d.Reason.Sentence())
	// Output:
	// verify may_have_taken_effect
	// Not repeated, because the call may have taken effect.
}

func ExampleDecision() {
	throttled := toolerr.RateLimited("Too many calls.", 2*time.Second)
	d := retry.Policy{}.Decide(result.Parse(result.Failure(throttled), nil), retry.State{Jitter: 0.5})
	encoded, _ := json.Marshal(d)
	fmt.Println(string(encoded))
	// Output: {"action":"retry","reason":"retryable","attempt":1,"delayMs":2500}
}

func ExampleSafety() {
	encoded, _ := json.Marshal(map[string]retry.Safety{"lookup_order": retry.SafetyReadOnly})
	fmt.Println(string(encoded))
	// Output: {"lookup_order":"read_only"}
}
