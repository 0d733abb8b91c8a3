package retry_test

import (
	"bytes"
	"context"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
			{"DEBUG", "t", "accept", retry.ReasonSucceeded, 2, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonNotRetryable, 1, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonRepeatedCall, 0, nil},
			{"DEBUG", "t", "fix_input", retry.ReasonRepeatedCall, 0, nil},
			{"WARN", "", "verify", retry.ReasonMayHaveTakenEffect, 1, nil},
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

// logWords are the values of each text attribute that a client may log.
var logWords = map[string][]string{
	"level": {"DEBUG", "WARN"}, "msg": {"tool call decided"}, "gen_ai.tool.name": {"charge"},
	"action": {"propagate", "accept", "retry", "fix_input", "escalate", "reauthorize", "verify", "provide_input"},
	"reason": {"succeeded", "retryable", "not_retryable", "may_have_taken_effect", "already_retried", "no_attempts_left", "session_lost", "retry_after_too_long", "wait_too_long", "past_deadline", "canceled", "budget_exhausted", "partial_result", "input_required", "person_asked", "no_progress", "repeated_call", "unreadable"},
	"kind":   {"data", "empty", "partial", "failure", "input_required"}, "error.category": {"transient", "validation", "business", "permission", "other"},
	"error.effect": {"none", "applied", "unknown", "other"},
	"error.code":   {"other", "timeout", "rate_limited", "unavailable", "canceled", "internal", "not_found", "invalid_argument", "conflict"},
}

// assertKnownWords checks that a client's log, as JSON, consists of known words, numbers of
// its own, and no correlation id.
func assertKnownWords(t *testing.T, log []byte, name string) {
	t.Helper()
	var check func(prefix string, record map[string]any)
	check = func(prefix string, record map[string]any) {
		for member, v := range record {
			switch v := v.(type) {
			case map[string]any:
				check(prefix+member+".", v)
			case string:
				if prefix+member != "time" {
					assert.Contains(t, logWords[prefix+member], v, "%s: %s%s", name, prefix, member)
				}
			default:
				assert.Contains(t, []string{"attempt", "delay", "waited", "session_lost", "error.retryable"}, prefix+member, name)
			}
		}
	}
	for line := range bytes.Lines(log) {
		var record map[string]any
		require.NoError(t, json.Unmarshal(line, &record))
		check("", record)
	}
}

// hostileAnswers are answers with a word of the server, W, in every member that has a text.
var hostileAnswers = map[string]string{
	"envelope": `{"isError":true,"errorCategory":W,"isRetryable":false,"code":W,"message":W,"hint":W,"customerMessage":W,"effect":W,"correlationId":W,"field":W,"idempotencyKey":W,` +
		`"suggestions":[W],"options":[W],"alternatives":[W],"details":{W:W},"attempted":[{"tool":W,"arguments":{W:W},"errorCategory":W,"code":W}]}`,
	"retryable":        `{"isError":true,"errorCategory":W,"isRetryable":true,"code":W,"message":W,"effect":"none","correlationId":W,"retryAfterMs":1}`,
	"partial":          `{"isError":true,"errorCategory":W,"isRetryable":false,"code":W,"message":W,"effect":W,"correlationId":W,"partial":{"processed":1,"total":2,"continueFrom":W,"results":[W]}}`,
	"another spelling": `{"error":{"code":W,"status":W,"type":W,"category":W,"message":W,"request_id":W,"trace_id":W}}`,
	"protocol error":   "",
}

// TestLog_HostileWords lets a server put the key and the arguments, in many encodings, into every
// text of its answer. The client's log has only known words.
func TestLog_HostileWords(t *testing.T) {
	t.Parallel()
	const order, card = "428817390055142867", "4111-1111-2222-3333" // the first in the format of our ids
	reversed := func(s string) string {
		b := []byte(s)
		slices.Reverse(b)
		return string(b)
	}
	bits := func(key string) []byte {
		raw, err := hex.DecodeString(strings.ReplaceAll(key, "-", ""))
		assert.NoError(t, err)
		return raw
	}
	base32Of := func(key string) string {
		return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits(key))
	}
	words := map[string]func(key string) string{
		"the key":                  func(key string) string { return key },
		"the key, bare":            func(key string) string { return strings.ReplaceAll(key, "-", "") },
		"the key, in a word":       func(key string) string { return "conflict_" + key },
		"the key, upper case":      strings.ToUpper,
		"the key, backwards":       reversed,
		"the key, base32":          base32Of, // the 26 letters of the ids of earlier versions
		"the key, base32, reverse": func(key string) string { return reversed(base32Of(key)) },
		"the key, base64":          func(key string) string { return base64.RawURLEncoding.EncodeToString(bits(key)) },
		"the key, hex of its text": func(key string) string { return hex.EncodeToString([]byte(key)) },
		"the key, decimal":         func(key string) string { return new(big.Int).SetBytes(bits(key)).String() },
		"half of the key":          func(key string) string { return key[:18] },
		"an argument":              func(string) string { return "hunter2" },
		"lines":                    func(key string) string { return "timeout\nlevel=ERROR msg=" + key },
		"a trace":                  func(string) string { return strings.Repeat("0af7651916cd43dd", 2) },
		"long":                     func(key string) string { return strings.Repeat("x", 100) + key },
	}
	for name, word := range words {
		for form, text := range hostileAnswers {
			var log bytes.Buffer
			w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				var in map[string]any
				if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
					return nil, err
				}
				key, _ := in["idempotency_key"].(string)
				quoted, err := json.Marshal(word(key))
				if err != nil || text == "" {
					return nil, &jsonrpc.Error{Code: -32603, Message: word(key), Data: quoted}
				}
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: strings.ReplaceAll(text, "W", string(quoted))}}}, nil
			})
			c := w.client(t)
			c.Policy.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			_, _ = c.CallTool(t.Context(), tool("charge", map[string]any{"password": "hunter2", "order": order, "card": card}))
			require.NotZero(t, w.calls.Load(), name)
			require.NotEmpty(t, log.String(), name)
			assertKnownWords(t, log.Bytes(), name+", "+form)
		}
	}
}

// TestLog_CorrelationID checks that the client's log has a server's id of 18 digits, and that
// numbers among the arguments do not hide it by chance.
func TestLog_CorrelationID(t *testing.T) {
	t.Parallel()
	const id = "274907315482066319"
	var log bytes.Buffer
	p := retry.Policy{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	s := &script{answers: []any{errLost.WithCorrelationID(id)}}
	_, _ = retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"amount": 2749073, "year": 2026, "page": 31}})
	assert.Contains(t, log.String(), "error.correlation_id="+id)
}
