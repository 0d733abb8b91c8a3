package result_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// The text of an error is read once and kept: the message and the log have the same.
func TestMiddleware_KeptText(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	opts.Reveal = result.RevealAll
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: anything}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, changing{new(int), "query on 10.0.0.7 failed, take %d", nil}
	})
	e := sentT(t, testutil.Connect(t, server, nil))
	assert.Contains(t, e.Message, "query on 10.0.0.7 failed")
	assert.Equal(t, 1, strings.Count(log.String(), "query on"), "it is not the message and another text")
}

// A text that differs each time, as that of an error that lists a map, is never sent.
func TestMiddleware_ListedMap(t *testing.T) {
	t.Parallel()
	listed := mapError{}
	for i := range 20 {
		listed[fmt.Sprint("10.0.0.", i)] = errSoldOut
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(quiet()))
	mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, listed
	})
	assert.Equal(t, "The tool failed unexpectedly.", sentT(t, testutil.Connect(t, server, nil)).Message)
}

type mapError map[string]error

func (e mapError) Error() string {
	var b strings.Builder
	for name := range maps.Keys(e) {
		b.WriteString(name + "; ")
	}
	return b.String()
}

// BenchmarkGrownJoin measures a failed call whose error is a join that has grown in a loop,
// without a session, and one call of its Error method.
func BenchmarkGrownJoin(b *testing.B) {
	var err error
	for i := range 4096 {
		err = errors.Join(err, fmt.Errorf("item %d was not saved", i)) //nolint:err113 // a text
	}
	b.Run("Error", func(b *testing.B) {
		for b.Loop() {
			_ = err.Error()
		}
	})
	h := result.Middleware(logged(new(bytes.Buffer)))(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			return &mcp.ListToolsResult{}, nil
		}
		return nil, err
	})
	req := &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "t"}}
	b.Run("middleware", func(b *testing.B) {
		for b.Loop() {
			_, failed := h(b.Context(), "tools/call", req)
			require.NoError(b, failed)
		}
	})
}
