package agree_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/agree"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A claim is what somebody is told about a failed call.
type claim struct {
	Effect    toolerr.Effect `json:"effect"`
	Retryable bool           `json:"isRetryable"`
}

func claimOf(e *toolerr.Error) claim { return claim{e.Effect, e.Retryable} }

// TestGo checks that a loop over IsRetryable does the work once.
func TestGo(t *testing.T) {
	t.Parallel()
	for _, s := range agree.Shapes() {
		booked := 0
		for range 3 {
			if s.Did() && !s.IsWord() {
				booked++
			}
			if !toolerr.IsRetryable(s.Err) {
				break
			}
		}
		assert.LessOrEqual(t, booked, 1, s.Name)
		e := toolerr.From(s.Err)
		var sent claim
		require.NoError(t, json.Unmarshal(e.AppendJSON(nil), &sent), s.Name)
		assert.Equal(t, claim{e.Effect, toolerr.IsRetryable(s.Err)}, sent, s.Name)
		assert.Equal(t, e.Retryable, sent.Retryable, s.Name)
		assert.Contains(t, fmt.Sprint(slog.AnyValue(e).Resolve()), fmt.Sprintf("retryable=%v", sent.Retryable), s.Name)
	}
}

// TestCalls checks that the wire, the client, the store, the log and the counts agree, and
// that a loop over their flag, and the retries of package retry, do the work once.
func TestCalls(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var finished []result.FinishedCall
	middleware := result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
		OnCall: func(_ context.Context, call result.FinishedCall) { finished = append(finished, call) },
	})
	for name, m := range map[string]mcp.Middleware{"with middleware": middleware, "without": nil} {
		world := agree.NewWorld(m)
		session := testutil.Connect(t, world.Server, nil)
		for i, shape := range agree.Shapes() {
			for _, tool := range agree.Tools {
				about := fmt.Sprintf("%s, %s, %s", shape.Name, tool.Name, name)
				world.Set(shape)
				for range 3 {
					log.Reset()
					finished = nil
					res, err := session.CallTool(t.Context(), params(tool, "loop", i))
					require.NoError(t, err, about)
					wire := check(t, about, tool, res, world)
					if m != nil {
						require.Len(t, finished, 1, about)
						assert.Equal(t, wire, claimOf(finished[0].Err), "%s: the counts", about)
						assert.Equal(t, wire, logged(t, log.Bytes()), "%s: the log", about)
					}
					if !wire.Retryable {
						break
					}
				}
				booked, _ := world.Booked()
				assert.LessOrEqual(t, booked, 1, "%s: a loop over the flag", about)
				world.Set(shape)
				checkRetries(t, about, tool, world, session, params(tool, "retries", i))
			}
		}
	}
}

// params returns the parameters of a call for an order of its own.
func params(tool agree.Tool, order string, i int) *mcp.CallToolParams {
	arguments := map[string]any{"id": fmt.Sprint(order, i)}
	if tool.Keyed {
		arguments["idempotency_key"] = fmt.Sprint("key-of-", order, i)
	}
	return &mcp.CallToolParams{Name: tool.Name, Arguments: arguments}
}

// checkRetries checks that the retries of package retry do the work once.
func checkRetries(t *testing.T, about string, tool agree.Tool, world *agree.World, session retry.Session, params *mcp.CallToolParams) {
	t.Helper()
	p := retry.Policy{Safety: tool.Safety, BaseDelay: -1, ThrottledDelay: -1, Logger: slog.New(slog.DiscardHandler)}
	_, d := retry.CallTool(t.Context(), p, session, params)
	booked, ran := world.Booked()
	assert.LessOrEqual(t, booked, 1, "%s: CallTool", about)
	if d.Attempt > 1 && tool.Name != "pay" { // whose repeats are answered without the handler
		assert.Equal(t, d.Attempt, ran, about)
	}
}

// check compares what the wire, the client and the store were told, and returns it.
func check(t *testing.T, about string, tool agree.Tool, res *mcp.CallToolResult, world *agree.World) (wire claim) {
	t.Helper()
	text, ok := res.Content[0].(*mcp.TextContent)
	require.True(t, ok, about)
	require.NoError(t, json.Unmarshal([]byte(text.Text), &wire), "%s: %s", about, text.Text)
	require.True(t, res.IsError, about)
	out := result.Parse(res, nil)
	assert.Equal(t, wire, claimOf(out.Err), "%s: Parse of %s", about, text.Text)
	assert.Equal(t, wire.Retryable, toolerr.IsRetryable(out.Err), about)
	for _, told := range world.Told() {
		assert.Equal(t, cmp.Or(wire.Effect, toolerr.EffectUnknown), told, "%s: the store, %s", about, text.Text)
	}
	safe := tool.Safety != retry.SafetyUnknown
	assert.True(t, !wire.Retryable || safe || wire.Effect == toolerr.EffectNone, "%s: %s", about, text.Text)
	if tool.Safety == retry.SafetyReadOnly {
		assert.NotEqual(t, toolerr.EffectApplied, out.Err.Resolve(toolerr.ToolHints{ReadOnly: true}).Effect, about)
	}
	return wire
}

// logged returns what the record of a failed call says.
func logged(t *testing.T, log []byte) claim {
	t.Helper()
	for line := range bytes.Lines(log) {
		var record struct {
			Message string `json:"msg"`
			Error   struct {
				Effect    toolerr.Effect `json:"effect"`
				Retryable bool           `json:"retryable"`
			} `json:"error"`
		}
		require.NoError(t, json.Unmarshal(line, &record))
		if record.Message == "tool call failed" {
			return claim{record.Error.Effect, record.Error.Retryable}
		}
	}
	return claim{Effect: "not logged"}
}
