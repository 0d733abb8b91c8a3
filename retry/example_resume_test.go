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
