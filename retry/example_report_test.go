package retry_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// What a subagent's tool returns where its source is down for good.
func ExampleReport() {
	arguments := map[string]any{"query": "exponential backoff", "token": "s3cret"}
	out, _ := retry.CallTool(context.Background(), quick, downSession{}, &mcp.CallToolParams{Name: "search", Arguments: arguments})
	report := retry.Report{Alternatives: []string{"search_library"}}
	report.Add("search", arguments, out.AsError())
	err := report.Failure("The archive could not be searched.")
	fmt.Println(err.Category, err.Alternatives)
	for _, a := range err.Attempted {
		fmt.Println(a.Tool, a.Arguments, a.Attempts, "times")
	}
	// Output:
	// transient [search_library]
	// search map[query:exponential backoff token:[masked]] 3 times
}

// A tool that gives 15 items at a time, until all 50 are there.
func ExampleResume() {
	session := &batch{total: 50, each: 15}
	call := func(ctx context.Context, params *mcp.CallToolParams) (out result.Outcome, d retry.Decision) {
		return retry.CallTool(ctx, retry.Policy{}, session, params)
	}
	out, decision := retry.Resume(context.Background(), call, &mcp.CallToolParams{Name: "export"}, "from")
	fmt.Println(decision.Action, len(out.Text()) > 100, len(session.calls), "calls")
	// Output: accept true 4 calls
}
