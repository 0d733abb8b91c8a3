package retry_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What a subagent's tool returns where its source is down for good.
func ExampleReport() {
	errArchive := toolerr.Transient("The archive is down.").WithCode(toolerr.CodeUnavailable).WithRetryable(false)
	report := retry.Report{Alternatives: []string{"search_library"}}
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

// A tool that gives two files at a time, until all five are there.
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
	out, decision := retry.Resume(context.Background(), call, params, "from") // call is client.CallTool in a program
	fmt.Println(decision.Action, out.Text())
	// Output: accept ["a.txt","b.txt","c.txt","d.txt","e.txt"]
}

// The last sentences of an answer for which not all sources came through.
func ExampleCover() {
	timeout := toolerr.Transient("No answer in time.").WithCode(toolerr.CodeTimeout)
	coverage := retry.Cover(map[string]result.Outcome{
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
	// Of the index only 15 of 50 results are included, because it did not answer in time.
	// Nothing from the archive is included, because it did not answer in time.
}

// What a coordinator does about each gap.
func ExampleCoverage_Gaps() {
	coverage := retry.Cover(map[string]result.Outcome{
		"archive": result.Parse(result.Failure(toolerr.Transient("Down.").WithAlternatives("library")), nil),
		"index":   result.Parse(result.Failure(toolerr.Transient("Too much.").WithCode(toolerr.CodeTimeout)), nil),
		"web":     result.Parse(result.Failure(toolerr.Permission("No token.")), nil),
	})
	for _, gap := range coverage.Gaps() {
		fmt.Println(gap.Source, gap.Step)
	}
	// Output:
	// archive other_source
	// index narrow
	// web go_on
}
