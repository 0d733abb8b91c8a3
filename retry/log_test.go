package retry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestLog_Decisions checks that OnDecision and the log get every decision, without the
// arguments.
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
		run(errPath) // stopped by the guard
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

// TestLog_GivenUp checks the log of a call that is given up.
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
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("tool call decided")), "warnings")
	for _, want := range []string{
		"level=WARN", "gen_ai.tool.name=read", "action=propagate", "reason=no_attempts_left", "attempt=3",
		"error.category=transient", "error.code=unavailable", "error.correlation_id=" + out.Err.CorrelationID,
	} {
		assert.Contains(t, log.String(), want)
	}
}

// TestLog_HostileWords lets a server put the key and the arguments into every text of its
// answer. None of them may occur in the client's log.
func TestLog_HostileWords(t *testing.T) {
	t.Parallel()
	const order, base32 = "428817390055142867", "ORDERNUMBERABCDEFGHIJKLMNO" // in the format of our ids
	words := map[string]func(key string) string{
		"the key":             func(key string) string { return key },
		"the key, bare":       func(key string) string { return strings.ReplaceAll(key, "-", "") },
		"the key, in a word":  func(key string) string { return "conflict_" + key },
		"the key, upper case": strings.ToUpper,
		"the key, backwards": func(key string) string {
			b := []byte(key)
			slices.Reverse(b)
			return string(b)
		},
		"an argument":         func(string) string { return "hunter2" },
		"an id-like argument": func(string) string { return order },
		"a base32 argument":   func(string) string { return base32 },
		"half of the key":     func(key string) string { return key[:18] },
		"lines":               func(key string) string { return "timeout\nlevel=ERROR msg=" + key },
		"a trace":             func(string) string { return strings.Repeat("0af7651916cd43dd", 2) },
		"long":                func(key string) string { return strings.Repeat("x", 100) + key },
	}
	for name, word := range words {
		var log bytes.Buffer
		said := ""
		w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in map[string]any
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
			key, _ := in["idempotency_key"].(string)
			said = word(key)
			quoted, err := json.Marshal(said)
			text := strings.ReplaceAll(`{"isError":true,"errorCategory":W,"isRetryable":false,"code":W,"message":W,"effect":W,"correlationId":W,"field":W}`, "W", string(quoted))
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, err
		})
		c := w.client(t)
		c.Policy.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		_, _ = c.CallTool(t.Context(), tool("charge", map[string]any{"password": "hunter2", "order": order, "b": base32}))
		require.NotEmpty(t, said, name)
		assert.Equal(t, !strings.Contains(said, "\n"), strings.Contains(log.String(), "error.code=other"), "%s: code in the log", name)
		assert.NotContains(t, log.String(), said, name)
		assert.NotContains(t, log.String(), "correlation_id", name)
	}
}
