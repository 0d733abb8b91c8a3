package retry_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// noFile is a session with a server that does not have the file.
type noFile struct{}

func (noFile) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return result.Failure(toolerr.NotFound("file", "sesion.ts", "session.ts")), nil
}

// A model repeats the same mistake. The repeats are not sent, and the hint is firmer each
// time.
func ExampleGuard() {
	policy := retry.Policy{Guard: new(retry.Guard)}
	for range 4 {
		out, d := retry.CallTool(context.Background(), policy, noFile{}, &mcp.CallToolParams{
			Name: "read_file", Arguments: map[string]any{"path": "sesion.ts"},
		})
		fmt.Println(d.Attempt, out.Err.Hint)
	}
	// Output:
	// 1 Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 Call again with other arguments: Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 This call was stopped before. Do not make it again. Call again with other arguments: Did you mean "session.ts"? Call again with that, or ask the user.
	// 0 Stop. This call of read_file will not be sent, however often you make it. Tell the user now what you could not do, and why.
}

// A budget protects a server that is down: only the first few of a hundred calls are
// retried.
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
