package harness_test

import (
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func ExampleTranscript() {
	print := &harness.Transcript{W: os.Stdout}
	print.Title(1, "A title")
	print.Call("find", map[string]any{"query": "<b>"})
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "100%"}}}
	print.Decided(result.Parse(text, nil), retry.Decision{Action: retry.ActionRetry, Reason: "why", Delay: 1500400 * time.Microsecond})
	print.Say("to the user: %s", "100%")
	// Output:
	// 1. A title
	//    call    find {"query":"<b>"}
	//    data    100%
	//    decide  retry: why
	//    wait    1.5s
	//    to the user: 100%
}
