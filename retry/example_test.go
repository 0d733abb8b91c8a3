package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall"
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
		return result.Failure(toolerr.LimitExceeded("Over the limit of $500.", "A colleague has to approve this refund.")),
			nil
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
			fmt.Println("look up ORD-7:", decision.Reason)
		case retry.ActionEscalate:
			fmt.Println("tell the customer:", out.Err.CustomerMessage)
		case retry.ActionFixInput, retry.ActionReauthorize, retry.ActionProvideInput, retry.ActionPropagate,
			retry.ActionRetry:
			fmt.Println("the model reads:", out.Text())
		}
	}
	// Output:
	// refunded
	// look up ORD-7: may_have_taken_effect
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
	fmt.Println(d.Action, d.Delay, d.Reason)
	// Output: retry 2.5s retryable
}

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
	_, err := retry.Do(context.Background(), retry.Policy{BaseDelay: time.Millisecond},
		func(context.Context) (string, error) {
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
	closed := failing{toolerr.Transient("Down.").WithEffect(toolerr.EffectNone)}
	out, decision := retry.CallTool(context.Background(), policy, closed, &mcp.CallToolParams{Name: "search"})
	fmt.Println(decision.Action, decision.Attempt)
	fmt.Println(out.Err.Attempted[0].Tool, out.Err.Attempted[0].Attempts)
	// Output:
	// propagate 3
	// search 3
}

// failing is a session with a server whose tools all fail.
type failing struct{ err error }

func (f failing) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(f.err), nil
}

// A model repeats the same mistake. The repeats are not sent, and the hint is firmer each time.
func ExampleGuard() {
	policy := retry.Policy{Guard: new(retry.Guard)}
	noFile := failing{toolerr.NotFound("file", "sesion.ts", "session.ts")}
	for range 4 {
		out, d := retry.CallTool(context.Background(), policy, noFile, &mcp.CallToolParams{
			Name: "read_file", Arguments: map[string]any{"path": "sesion.ts"},
		})
		fmt.Println(d.Attempt, out.Err.Hint)
	}
	// Output:
	// 1 Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 Call again with other arguments: Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 Call again with other arguments: Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 Stop. This call of read_file will not be sent, however often you make it. Tell the user now what you could not do, and why.
}

// A budget protects a server that is down: only the first few of a hundred calls are retried.
func ExampleBudget() {
	policy := retry.Policy{Budget: new(retry.Budget), BaseDelay: -1} // one for all callers of a server
	attempts := 0
	for range 100 {
		_, _ = retry.Do(context.Background(), policy, func(context.Context) (string, error) {
			attempts++
			return "", toolerr.Transient("Down.").WithEffect(toolerr.EffectNone)
		})
	}
	fmt.Println(attempts, "attempts for 100 calls, not 300")
	// Output: 104 attempts for 100 calls, not 300
}

// A tool returns two files per call. Resume calls it until all five are there.
func ExampleResume() {
	files := []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.txt"}
	call := func(_ context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		from := 0
		if cursor, ok := params.Arguments.(map[string]any)["from"].(int); ok {
			from = cursor
		}
		to := min(from+2, len(files))
		raw, _ := json.Marshal(files[from:to])
		out := result.Parse(result.OK(files[from:to]), nil)
		if to < len(files) {
			stopped := toolerr.Transient("More to come.").WithPartial(&toolerr.Partial{
				Processed: to, Total: len(files), ContinueFrom: to, Results: raw,
			})
			out = result.Outcome{Kind: result.KindPartial, Err: stopped}
		}
		return out, retry.Policy{}.Decide(out, retry.State{})
	}
	params := &mcp.CallToolParams{Name: "export", Arguments: map[string]any{}}
	out, decision := retry.Resume(context.Background(), call, params, "from") // usually client.CallTool instead of call
	fmt.Println(decision.Action, out.Text())
	// Output: accept ["a.txt","b.txt","c.txt","d.txt","e.txt"]
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

// A reason is a word for programs and logs.
func ExampleReason() {
	d := retry.Policy{}.Decide(result.Parse(nil, context.DeadlineExceeded), retry.State{})
	fmt.Println(d.Action, d.Reason)
	// Output: verify may_have_taken_effect
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

// A read-only tool that fails twice is called three times.
func ExampleClient() {
	client := &retry.Client{
		Connect: connectTo(flakyServer()), // usually another program, behind an mcp.CommandTransport
		Safety:  retry.SafetyOf,           // the server is trusted
		Policy:  retry.Policy{BaseDelay: time.Millisecond},
	}
	defer func() { _ = client.Close() }()
	out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(decision.Action, decision.Attempt, out.Text())
	// Output: accept 3 {"sky":"sunny"}
}

// Middleware adds retries to the client of an existing program.
func ExampleMiddleware() {
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := flakyServer().Connect(context.Background(), serverSide, nil); err != nil {
		panic(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	client.AddSendingMiddleware(retry.Middleware(retry.Policy{BaseDelay: time.Millisecond}, retry.SafetyOf))
	session, err := client.Connect(context.Background(), clientSide, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = session.Close() }()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "forecast"})
	fmt.Println(res.IsError, err)
	// Output: false <nil>
}

// Input answers the question of a tool that asks a person before it acts.
func ExampleClient_input() {
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	tool := &mcp.Tool{Name: "delete_all", InputSchema: map[string]any{"type": "object"}}
	server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.InputResponses == nil {
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{
				"sure": &mcp.ElicitParams{Message: "Delete all files?", RequestedSchema: map[string]any{"type": "object"}},
			}}, nil
		}
		return result.OK("deleted"), nil
	})
	client := &retry.Client{
		Connect: connectTo(server),
		Input: func(_ context.Context, asks *mcp.CallToolResult) (mcp.InputResponseMap, error) {
			answers := mcp.InputResponseMap{}
			for name, question := range asks.InputRequests {
				if q, ok := question.(*mcp.ElicitParams); ok {
					fmt.Println(q.Message, "yes") // a real program asks a person here
					answers[name] = &mcp.ElicitResult{Action: "accept"}
				}
			}
			return answers, nil
		},
	}
	defer func() { _ = client.Close() }()
	out, decision := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "delete_all"})
	fmt.Println(decision.Action, out.Text())
	// Output:
	// Delete all files? yes
	// accept deleted
}

// flakyServer returns an in-memory server whose tool fails twice.
func flakyServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	calls := 0
	tool := &mcp.Tool{Name: "forecast", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	result.AddTool(server, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		if calls++; calls < 3 {
			return nil, nil, toolerr.Transient("The weather station is down.").WithCode(toolerr.CodeUnavailable)
		}
		return nil, map[string]string{"sky": "sunny"}, nil
	})
	return server
}

// connectTo returns a Client.Connect for an in-memory server.
func connectTo(server *mcp.Server) func(context.Context) (retry.ClientSession, error) {
	return func(ctx context.Context) (retry.ClientSession, error) {
		serverSide, clientSide := mcp.NewInMemoryTransports()
		if _, err := server.Connect(ctx, serverSide, nil); err != nil {
			return nil, err
		}
		c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"},
			&mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
		return c.Connect(ctx, clientSide, nil)
	}
}

// An agent that knows only the SDK's types keeps the client as its session.
func ExampleClient_AsSession() {
	client := &retry.Client{Safety: retry.SafetyOf, Connect: connectTo(flakyServer())}
	defer func() { _ = client.Close() }()
	var session interface { // what the agent declares
		ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
		CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
	} = client.AsSession()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "no_such_tool"})
	fmt.Println(err, res.IsError)
	// Output: <nil> true
}

// A host serves many conversations with one client, and watches each with a Guard of its own.
func ExampleClient_conversations() {
	client := &retry.Client{Safety: retry.SafetyOf, Connect: connectTo(flakyServer())}
	defer func() { _ = client.Close() }()
	guards := map[string]*retry.Guard{"ann": new(retry.Guard), "ben": new(retry.Guard)}
	for _, name := range []string{"ann", "ann", "ben"} {
		policy := retry.Policy{Guard: guards[name]}
		_, d := retry.CallTool(context.Background(), policy, client.AsSession(), &mcp.CallToolParams{Name: "no_such_tool"})
		fmt.Println(name, d.Attempt, d.Action, d.Reason)
	}
	// Output:
	// ann 1 fix_input not_retryable
	// ann 0 fix_input repeated_call
	// ben 1 fix_input not_retryable
}
