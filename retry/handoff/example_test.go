package handoff_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// closed is a session with an archive that is closed for the day.
type closed struct{}

func (closed) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(toolerr.Transient("The archive is closed.").WithCode(toolerr.CodeUnavailable).
		WithRetryable(false)), nil
}

// A subagent reports its attempts, and the coordinator lists what is missing.
func Example() {
	arguments := map[string]any{"query": "exponential backoff"}
	params := &mcp.CallToolParams{Name: "search", Arguments: arguments}
	out, decision := retry.CallTool(context.Background(), retry.Policy{Safety: retry.SafetyReadOnly}, closed{}, params)
	fmt.Println(decision.Action)
	var report handoff.Report
	report.Add("search", arguments, out.AsError())
	answer := result.Failure(report.Failure("The archive could not be searched."))

	coverage := handoff.Cover(map[string]result.Outcome{"the archive": result.Parse(answer, nil)})
	fmt.Println(coverage)
	// Output:
	// propagate
	// Nothing from the archive is included, because it was not available.
}

// A subagent's tool returns this error if its source is down. The token is masked.
func ExampleReport() {
	errArchive := toolerr.Transient("The archive is down.").WithCode(toolerr.CodeUnavailable).WithRetryable(false)
	report := handoff.Report{Alternatives: []string{"search_library"}}
	report.Add("search", map[string]any{"query": "exponential backoff", "token": "s3cret"}, errArchive)
	err := report.Failure("The archive could not be searched.")
	fmt.Println(err.Category, err.Code, err.Alternatives)
	for _, a := range err.Attempted {
		fmt.Println(a.Tool, a.Arguments)
	}
	// Output:
	// transient unavailable [search_library]
	// search map[query:exponential backoff token:[masked]]
}

// The coverage prints the sentences to append to an answer if sources are missing.
func ExampleCover() {
	timeout := toolerr.Transient("No answer in time.").WithCode(toolerr.CodeTimeout)
	coverage := handoff.Cover(map[string]result.Outcome{
		"the library": result.Parse(result.OK([]string{"three papers"}), nil),
		"the archive": result.Parse(result.Failure(timeout), nil),
		"the index": result.Parse(result.Failure(timeout.WithPartial(&toolerr.Partial{
			Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage(`["..."]`),
		})), nil),
	})
	fmt.Println(coverage.Complete)
	fmt.Println(coverage)
	// Output:
	// [the library]
	// Only 15 of 50 results from the index are included, because it did not answer in time.
	// Nothing from the archive is included, because it did not answer in time.
}

// Each gap has the coordinator's next step.
func ExampleCoverage_Gaps() {
	down := toolerr.Transient("Down.").WithEffect(toolerr.EffectNone) // as of every read-only tool
	coverage := handoff.Cover(map[string]result.Outcome{
		"archive": result.Parse(result.Failure(down.WithAlternatives("library")), nil),
		"index":   result.Parse(result.Failure(down.WithCode(toolerr.CodeTimeout)), nil),
		"loans":   result.Parse(nil, toolerr.Transient("The reply was lost.").WithEffect(toolerr.EffectUnknown)),
		"web":     result.Parse(result.Failure(toolerr.Permission("No token.")), nil),
	})
	for _, gap := range coverage.Gaps() {
		fmt.Println(gap.Source, gap.Step)
	}
	// Output:
	// archive other_source
	// index narrow
	// loans verify
	// web go_on
}
