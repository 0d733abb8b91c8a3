package agree_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"strings"
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

var everyTool = flag.Bool("all", false, "call every tool with every shape; by default a shape with statements is "+
	"that of every eighth tool")

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

// An observed world is one whose log and counts are recorded, if it has the middleware.
type observed struct {
	*agree.World

	middleware bool
	session    *mcp.ClientSession
	log        bytes.Buffer
	finished   []result.FinishedCall
}

func observe(t *testing.T, with bool) *observed {
	t.Helper()
	w := &observed{middleware: with}
	var middleware mcp.Middleware
	if with {
		middleware = result.Middleware(&result.MiddlewareOptions{
			Logger: slog.New(slog.NewJSONHandler(&w.log, nil)),
			OnCall: func(_ context.Context, call result.FinishedCall) { w.finished = append(w.finished, call) },
		})
	}
	w.World = agree.NewWorld(middleware)
	w.session = testutil.Connect(t, w.Server, nil)
	return w
}

// TestCalls checks that the wire, the client, the store, the log and the counts agree, and
// that a loop over their flag, and the retries of package retry, do the work once.
func TestCalls(t *testing.T) {
	t.Parallel()
	for name, middleware := range map[string]bool{"with middleware": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := observe(t, middleware)
			for i, shape := range agree.Shapes() {
				for j, tool := range agree.Tools {
					if strings.Contains(shape.Name, ", ") && (i+j)%8 != 0 && !*everyTool {
						continue
					}
					about := shape.Name + ", " + tool.Name
					world.Set(shape)
					checkLoop(t, about, tool, world, params(tool, "loop", i))
					world.Set(shape)
					checkRetries(t, about, tool, world, params(tool, "retries", i))
				}
			}
		})
	}
}

// checkLoop checks what is said about the calls of a loop over the flag.
func checkLoop(t *testing.T, about string, tool agree.Tool, world *observed, params *mcp.CallToolParams) {
	t.Helper()
	for range 3 {
		world.log.Reset()
		world.finished = nil
		res, err := world.session.CallTool(t.Context(), params)
		require.NoError(t, err, about)
		wire := check(t, about, tool, res, world.World)
		if world.middleware {
			require.Len(t, world.finished, 1, about)
			assert.Equal(t, wire, claimOf(world.finished[0].Err), "%s: the counts", about)
			assert.Equal(t, wire, logged(t, world.log.Bytes()), "%s: the log", about)
		}
		if !wire.Retryable {
			break
		}
	}
	booked, _ := world.Booked()
	assert.LessOrEqual(t, booked, 1, "%s: a loop over the flag", about)
}

// checkRetries checks that the retries of package retry do the work once.
func checkRetries(t *testing.T, about string, tool agree.Tool, world *observed, params *mcp.CallToolParams) {
	t.Helper()
	_, d := retry.CallTool(t.Context(), policyOf(tool.Safety), world.session, params)
	booked, ran := world.Booked()
	assert.LessOrEqual(t, booked, 1, "%s: CallTool", about)
	if d.Attempt > 1 && tool.Name != "pay" { // whose repeats are answered without the handler
		assert.Equal(t, d.Attempt, ran, about)
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

// policyOf returns a policy that does not wait.
func policyOf(safety retry.Safety) retry.Policy {
	return retry.Policy{Safety: safety, BaseDelay: -1, ThrottledDelay: -1, Logger: slog.New(slog.DiscardHandler)}
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
		assert.NotEqual(t, toolerr.EffectApplied, out.Err.Resolve(toolerr.ToolAnnotations{ReadOnly: true}).Effect, about)
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
			} `json:"toolerr"`
		}
		require.NoError(t, json.Unmarshal(line, &record))
		if record.Message == "tool call failed" {
			return claim{record.Error.Effect, record.Error.Retryable}
		}
	}
	return claim{Effect: "not logged"}
}
