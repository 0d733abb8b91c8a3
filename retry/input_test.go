package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// asks returns the answer of a tool that needs a person.
func asks() *mcp.CallToolResult {
	return &mcp.CallToolResult{RequestState: "s", InputRequests: mcp.InputRequestMap{
		"confirm": &mcp.ElicitParams{Message: "Really?", RequestedSchema: map[string]any{"type": "object"}},
	}}
}

func sheds(state string) *mcp.CallToolResult {
	return &mcp.CallToolResult{RequestState: state, InputRequests: mcp.InputRequestMap{}}
}

// TestClient_LoadShedding checks that a server that sheds load is called again with backoff
// and its state.
func TestClient_LoadShedding(t *testing.T) {
	t.Parallel()
	w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n <= 2 {
			return sheds([]string{"", "one", "two"}[n]), nil
		}
		return result.OK("done"), nil
	})
	c := w.client(t)
	var waits []time.Duration
	c.Policy = retry.Policy{BaseDelay: 40 * time.Millisecond, OnDecision: func(_ result.Outcome, d retry.Decision) { waits = append(waits, d.Delay) }}
	c.Input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) {
		return nil, errors.New("no question expected")
	}
	out, d := call(t, c, "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, 3, d.Attempt)
	assert.Positive(t, waits[0]+waits[1])
	assert.Equal(t, []string{"", "one", "two"}, states(w, 3))

	w = newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return sheds("s"), nil })
	out, d = call(t, w.client(t), "write")
	assert.Equal(t, "failure unavailable none propagate", out.Kind.String()+" "+string(out.Err.Code)+" "+string(out.Err.Effect)+" "+d.Action.String())
	assert.Equal(t, int64(3), w.calls.Load())
}

func states(w *world, n int64) []string {
	var got []string
	for i := int64(1); i <= n; i++ {
		v, _ := w.params.Load(i)
		if p, ok := v.(*mcp.CallToolParamsRaw); ok {
			got = append(got, p.RequestState)
		}
	}
	return got
}

func TestClient_Input(t *testing.T) {
	t.Parallel()
	asked := 0
	input := func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) {
		asked++
		return mcp.InputResponseMap{"confirm": &mcp.ElicitResult{Action: "accept"}}, nil
	}
	w := newWorld(func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 0 {
			return asks(), nil
		}
		return result.OK("done"), nil
	})
	c := w.client(t)
	c.Input = input
	c.Policy.AttemptTimeout = testutil.Patience
	out, d := call(t, c, "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, 1, d.Attempt)
	assert.Equal(t, 1, asked)
	assert.Equal(t, []string{"", "s"}, states(w, 2))

	// After a failure that follows a question, not even a read-only call is repeated.
	asked = 0
	w = newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 0 {
			return asks(), nil
		}
		return nil, errBusy
	})
	c = w.client(t)
	c.Input = input
	out, d = call(t, c, "read")
	assert.Equal(t, retry.ReasonPersonAsked, d.Reason)
	assert.Equal(t, "busy", out.Err.Message)
	assert.Equal(t, 1, asked)
	assert.Equal(t, int64(2), w.calls.Load())

	// The input fails, or the tool never stops asking.
	c = w.client(t)
	c.Input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) {
		return nil, errors.New("gone home")
	}
	out, d = call(t, c, "read")
	assert.Equal(t, "The input that the tool asks for was not given.", out.Err.Message)
	assert.Equal(t, 1, d.Attempt)
	w = newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return asks(), nil })
	c = w.client(t)
	c.Input = input
	out, _ = call(t, c, "read")
	assert.Equal(t, "The tool asks for input again and again.", out.Err.Message)
	assert.Equal(t, int64(10), w.calls.Load())
}

// TestClient_InputByCaller checks that without Input, the caller answers in a call of its
// own.
func TestClient_InputByCaller(t *testing.T) {
	t.Parallel()
	w := newWorld(func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch {
		case len(req.Params.InputResponses) == 0:
			return asks(), nil
		case n == 2:
			return nil, errBusy
		}
		return result.OK("done"), nil
	})
	c := w.client(t)
	out, d := call(t, c, "write")
	assert.Equal(t, retry.ActionProvideInput, d.Action)
	require.Contains(t, out.Result.InputRequests, "confirm")
	params := &mcp.CallToolParams{
		Name: "write", RequestState: out.Result.RequestState,
		InputResponses: mcp.InputResponseMap{"confirm": &mcp.ElicitResult{Action: "accept"}},
	}
	_, d = c.CallTool(t.Context(), params)
	assert.Equal(t, retry.ReasonPersonAsked, d.Reason)
	_, d = c.CallTool(t.Context(), params)
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.Equal(t, []string{"", "s", "s"}, states(w, 3))
}
