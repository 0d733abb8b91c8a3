package retry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// The callback and the log get every decision, and neither holds what
// the tool was called with.
func TestLog_Decisions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var told []retry.Decision
		p := retry.Policy{
			Logger:     slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			OnDecision: func(_ result.Outcome, d retry.Decision) { told = append(told, d) },
			Guard:      new(retry.Guard),
		}
		params := &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"password": "hunter2", "q": "private"}}
		s := new(script)
		run := func(answers ...any) {
			s.calls, s.answers = nil, answers
			_, _ = retry.CallTool(t.Context(), p, s, params)
		}
		run(errRefused.WithRetryAfter(time.Second), "done")
		run(errPath)
		run(errPath) // the guard stops it
		run(errLost)
		_, _ = retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, errLost })
		type record struct {
			Level   string         `json:"level"`
			Tool    string         `json:"gen_ai.tool.name"`
			Action  string         `json:"action"`
			Reason  retry.Reason   `json:"reason"`
			Attempt int            `json:"attempt"`
			Error   map[string]any `json:"error"`
		}
		var got []record
		for line := range bytes.Lines(log.Bytes()) {
			var r record
			require.NoError(t, json.Unmarshal(line, &r))
			assert.Equal(t, r.Action == "accept", r.Error == nil)
			r.Error = nil
			got = append(got, r)
		}
		want := []record{
			{"DEBUG", "t", "retry", retry.ReasonRetryable, 1, nil},
			{"DEBUG", "t", "accept", retry.ReasonSuccess, 2, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonNotRetryable, 1, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonRepeated, 0, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonRepeated, 0, nil},
			{"WARN", "", "verify", retry.ReasonUnsafe, 1, nil},
		}
		assert.Equal(t, want, got)
		require.Len(t, told, len(want))
		for i, d := range told {
			assert.Equal(t, want[i].Action, d.Action.String())
			assert.Equal(t, want[i].Reason, d.Reason)
		}
		assert.NotContains(t, log.String(), "hunter2")
		assert.NotContains(t, log.String(), "private")
	})
}

// What the agent gives up is in its log, and handed up with what was attempted.
func TestLog_GivenUp(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errBusy })
	c := w.client(t)
	c.Policy.Logger = slog.New(slog.NewTextHandler(&log, nil))
	out, d := call(t, c, "read")
	assert.Equal(t, retry.ActionPropagate, d.Action)
	require.Len(t, out.Err.Attempted, 1)
	assert.Equal(t, 3, out.Err.Attempted[0].Attempts)
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("tool call decided")), "the retries are not worth a warning")
	for _, want := range []string{
		"level=WARN", "gen_ai.tool.name=read", "action=propagate", "reason=no_attempts_left", "attempt=3",
		"error.category=transient", "error.code=unavailable", "error.correlation_id=" + out.Err.CorrelationID,
	} {
		assert.Contains(t, log.String(), want)
	}
}
