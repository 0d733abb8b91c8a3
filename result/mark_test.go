package result_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

type outcome struct {
	Success bool   `json:"success"`
	Error   string `json:"error,omitempty"`
}

// Data that looks like a failure is marked as data and read as such. Other successes have no
// mark.
func TestMiddleware_DataMark(t *testing.T) {
	t.Parallel()
	wire := new(testutil.Wire)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))))
	var out outcome
	shared := &mcp.CallToolResult{Content: text(`{"success":false,"error":"access denied"}`)}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, outcome, error) {
		return nil, out, nil
	})
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if out.Success {
			return result.OK(out), nil
		}
		return shared, nil
	})
	session := testutil.Connect(t, server, wire)
	for _, tool := range []string{"typed", "raw"} {
		for _, out = range []outcome{{false, "access denied"}, {true, ""}} {
			got := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
			require.NoError(t, got.AsError(), "%s: %v", tool, out)
			assert.Equal(t, result.KindData, got.Kind)
			assert.Equal(t, !out.Success, strings.Contains(string(wire.Last()), `"io.github.mcp-toolerr/kind":"data"`), "%s: %v", tool, out)
			value, err := result.Decode[outcome](got)
			require.NoError(t, err)
			assert.Equal(t, out, value)
		}
	}
	assert.Nil(t, shared.Meta, "a result that calls share is not changed")
}

// OK marks its result, for servers without the middleware. The mark does not turn a failure
// into data.
func TestOK_DataMark(t *testing.T) {
	t.Parallel()
	out := result.Parse(result.OK(outcome{false, "access denied"}), nil)
	assert.Equal(t, result.KindData, out.Kind)
	assert.Nil(t, result.OK(outcome{true, ""}).Meta)
	assert.Nil(t, result.OK(map[string]any{"items": []int{}}).Meta, "nothing is nothing")
	res := failed("access denied")
	res.Meta = mcp.Meta{"io.github.mcp-toolerr/kind": "data"}
	assert.Equal(t, result.KindFailure, result.Parse(res, nil).Kind)
}

// Advice is logged once for each tool and kind of error.
func TestMiddleware_AdviceOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var n int
	session := failing(t, logged(&log), func(context.Context) error {
		n++
		return errors.New([]string{"user %d not found", "no route for order %d"}[n%2] + fmt.Sprint(n))
	})
	for range 10 {
		_ = callT(t, session)
	}
	assert.Equal(t, 10, strings.Count(log.String(), "tool call failed"))
	assert.Equal(t, 2, strings.Count(log.String(), "This error is unclassified"))
}
