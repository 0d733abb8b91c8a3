package retry_test

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_UnknownFor checks that a repeat carries the age of the first attempt with
// unknown effect, so that a restarted server knows that it may have forgotten the attempt.
func TestClient_UnknownFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []any
		c := &retry.Client{Safety: retry.SafetyOf, Policy: quick}
		c.Connect = func(context.Context) (retry.ClientSession, error) {
			s := &fakeSession{version: "v1", over: make(chan struct{}), list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
				return &mcp.ListToolsResult{Tools: []*mcp.Tool{keyedTool("pay")}}, nil
			}}
			s.answer = func(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, params.Meta["io.github.mcp-toolerr/unknownForMs"])
				if len(told) == 1 {
					time.Sleep(3 * time.Second) // in a bubble
					return nil, io.EOF
				}
				return result.OK("paid"), nil
			}
			return s, nil
		}
		_, _ = call(t, c, "pay")
		assert.Len(t, told, 2)
		assert.Nil(t, told[0])
		assert.GreaterOrEqual(t, told[1], int64(3000))
		_ = c.Close()
	})
}
