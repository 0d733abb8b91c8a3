package result_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

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
