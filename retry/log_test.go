package retry_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// logJSONTo returns a logger of all levels, whose records are read by records.
func logJSONTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func records(t *testing.T, log *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for d := json.NewDecoder(log); d.More(); {
		var record map[string]any
		require.NoError(t, d.Decode(&record))
		all = append(all, record)
	}
	require.NotEmpty(t, all)
	return all
}

// TestLog_Decisions checks that OnDecision and the log get every decision, without the arguments.
func TestLog_Decisions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var told []string
		p := retry.Policy{
			Logger: logJSONTo(&log),
			OnDecision: func(out result.Outcome, d retry.Decision) {
				told = append(told, testutil.Words(d.Tool, d.Action, d.Reason, d.Attempt, out.Kind))
			},
			Guard: new(retry.Guard),
		}
		s := &script{answers: []any{errRefused.WithRetryAfter(time.Second), "done", errPath}}
		for range 4 { // two are stopped by the guard
			_, _ = retry.CallTool(t.Context(), p, s, tool("t", map[string]any{"password": "hunter2", "q": "private"}))
		}
		_, _ = doing(t.Context(), p, errLost)
		_, _ = doing(t.Context(), p, errRefused, nil)
		_, _ = doing(t.Context(), p, errRefused.WithPartial(&toolerr.Partial{Processed: 1}))
		text, got, levels := log.String(), []string{}, []string{}
		for _, r := range records(t, &log) {
			tool, _ := r["gen_ai.tool.name"].(string)
			g, _ := r["toolerr"].(map[string]any)
			assert.Equal(t, g["action"] == "accept", g["code"] == nil)
			got = append(got, testutil.Words(tool, g["action"], g["reason"], g["attempt"], g["kind"]))
			levels = append(levels, fmt.Sprint(r["level"]))
		}
		assert.Equal(t, []string{
			"t retry retryable 1 failure", "t accept succeeded 2 data", "t fix_input not_retryable 1 failure",
			"t fix_input repeated_call 0 failure", "t fix_input repeated_call 0 failure",
			" verify may_have_taken_effect 1 failure", " retry retryable 1 failure", " accept succeeded 2 data",
			" verify may_have_taken_effect 1 partial",
		}, got)
		assert.Equal(t, []string{"DEBUG", "DEBUG", "DEBUG", "DEBUG", "DEBUG", "WARN", "DEBUG", "DEBUG", "WARN"}, levels)
		assert.Equal(t, got, told)
		assert.NotRegexp(t, "hunter2|private", text)
	})
}

// TestLog_GivenUp checks the log of a call that is given up: it has the server's id of 18 digits,
// also if that is an argument, and not all of a long name.
func TestLog_GivenUp(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"read": "", "charge": "274907315482066319"} {
		var log bytes.Buffer
		c := newWorld(gives(errRefused.WithCorrelationID(id))).client(t)
		c.Policy.Logger = slog.New(slog.NewTextHandler(&log, nil))
		out, d := c.CallTool(t.Context(), tool(name, map[string]any{"order": id}))
		assert.Equal(t, retry.ActionPropagate, d.Action)
		require.Len(t, out.Err.Attempted, 1)
		assert.Equal(t, 3, out.Err.Attempted[0].Attempts)
		require.Equal(t, 1, strings.Count(log.String(), "tool call decided"), "warnings")
		for want := range strings.FieldsSeq("level=WARN gen_ai.tool.name=" + name + " toolerr.action=propagate " +
			"toolerr.reason=no_attempts_left toolerr.attempt=3 toolerr.category=transient toolerr.code=unavailable " +
			"toolerr.correlation_id=" + cmp.Or(id, out.Err.CorrelationID)) {
			assert.Contains(t, log.String(), want)
		}
	}
	var log strings.Builder
	s := &script{answers: []any{textFailure("no")}}
	_, _ = retry.CallTool(t.Context(), retry.Policy{Logger: logTo(&log)}, s, tool(strings.Repeat("x", 1<<20)))
	assert.Less(t, log.Len(), 10_000)
}

// A logWord is what a client may log of an answer, besides numbers of its own: a word of ours, which has no digits.
var logWord = regexp.MustCompile(`^([a-z]+(_[a-z]+){0,3}|DEBUG|WARN|tool call decided)$`)

// assertKnownWords checks that a record of a client's log, as JSON, has words and numbers of its own, and no word of
// the server.
func assertKnownWords(t *testing.T, prefix string, record map[string]any, word, name string) {
	t.Helper()
	for member, v := range record {
		switch v := v.(type) {
		case map[string]any:
			assertKnownWords(t, member+".", v, word, name)
		case string:
			isKnown := len(v) < 25 && logWord.MatchString(v) && !strings.Contains(v, word)
			assert.True(t, isKnown || member == "time", "%s: %s%s=%s", name, prefix, member, v)
		default:
			assert.Equal(t, "toolerr.", prefix, name)
			assert.Contains(t, []string{"attempt", "delay", "waited", "session_lost", "retryable"}, member, name)
		}
	}
}

// TestLog_HostileWords lets a server put the key and the arguments into every text of its answer. The client's log has
// only known words, so that an encoding of them is not in it either.
func TestLog_HostileWords(t *testing.T) {
	t.Parallel()
	words := map[string]func(key string) string{
		"the key":            func(key string) string { return key },
		"the key, in a word": func(key string) string { return "conflict_" + key },
		"half of the key":    func(key string) string { return strings.ReplaceAll(key[:18], "-", "") },
		"an argument":        func(string) string { return "hunter" },
		"lines":              func(key string) string { return "timeout\nlevel=ERROR msg=" + key },
		"a trace":            func(string) string { return strings.Repeat("0af7651916cd43dd", 2) },
		"long":               func(key string) string { return strings.Repeat("x", 100) + key },
	}
	for name, word := range words {
		for text, form := range testutil.Rows(t, "testdata/hostile.txt") {
			var log bytes.Buffer
			var sentWord string
			s := &fakeSession{answer: func(_ context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				arguments, _ := p.Arguments.(map[string]any)
				key, _ := arguments["idempotency_key"].(string)
				sentWord = word(key)
				quoted, err := json.Marshal(sentWord)
				if err != nil || text == "" {
					return nil, &jsonrpc.Error{Code: -32603, Message: sentWord, Data: quoted}
				}
				return textFailure(strings.ReplaceAll(text, "W", string(quoted))), nil
			}}
			p := retry.Policy{Safety: retry.SafetyKeyed, BaseDelay: -1, Logger: logJSONTo(&log)}
			_, _ = retry.CallTool(t.Context(), p, s, tool("charge", map[string]any{"password": "hunter"}))
			for _, record := range records(t, &log) {
				assertKnownWords(t, "", record, sentWord, name+", "+form)
			}
		}
	}
}

// TestCallTool_SafetyLogged checks that the log says what decides whether a repeat is safe.
func TestCallTool_SafetyLogged(t *testing.T) {
	t.Parallel()
	late := toolerr.Timeout("late")
	no := toolerr.Business("no").WithEffect(toolerr.EffectUnknown)
	for _, safety := range []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly} {
		for e, may := range map[*toolerr.Error]bool{late: true, late.WithAttempted(toolerr.Attempt{}): false, no: false} {
			var log strings.Builder
			p := retry.Policy{Safety: safety, BaseDelay: -1, Logger: logTo(&log)}
			_, _ = retry.CallTool(t.Context(), p, &script{answers: []any{e}}, tool("t"))
			says := strings.Contains(log.String(), `advice="Client.Safety decides`)
			assert.Equal(t, may && safety == retry.SafetyUnknown, says, "%v: %s", safety, log.String())
		}
	}
}

// TestError_LastError records the text and the log value, which hold the last error's text. In the log
// value, credentials are masked.
func TestError_LastError(t *testing.T) {
	t.Parallel()
	errGate := errors.New("gate 7 is shut")
	errs := map[string]error{
		"plain":     fmt.Errorf("charge ORD-7, password=hunter2: %w", errGate),
		"a wrapper": fmt.Errorf("charge ORD-7, password=hunter2: %w: %w", errGate, toolerr.NotFound("order", "ORD-7")),
		"tool error": toolerr.Transient("charge ORD-7: gate 7 is shut, password=hunter2").WithCause(errGate).
			WithRetryable(false),
		"cause": toolerr.Transient("charge ORD-7: password=hunter2").WithCause(errGate).WithRetryable(false),
	}
	testutil.Recorded(t, "testdata/errors.txt", func(sample string) string {
		_, err := doing(t.Context(), retry.Policy{}, errs[sample])
		require.ErrorIs(t, err, errGate, sample)
		var log strings.Builder
		slog.New(slog.NewJSONHandler(&log, nil)).Warn("failed", "err", err)
		assert.NotContains(t, log.String(), "hunter2", sample)
		_, value, _ := strings.Cut(log.String(), `"err":`)
		return fmt.Sprint(err, "\n", errors.Unwrap(toolerr.From(err)), "\n", randoms.ReplaceAllString(value, ""))
	})
	var none *retry.Error
	for _, e := range []*retry.Error{none, {}} {
		assert.Equal(t, "gave up gave up", e.Error()+" "+e.LogValue().String())
		assert.False(t, e.As(new(*toolerr.Error)))
		require.NotErrorIs(t, e, errGate)
	}
}

// TestReason_Words checks that each constant is a word in snake_case.
func TestReason_Words(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("decision.go")
	require.NoError(t, err)
	words := regexp.MustCompile(`Reason = "(.*)"`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, words, 18)
	for _, word := range words {
		assert.Regexp(t, `^[a-z]+(_[a-z]+)*$`, word[1])
	}
}

func TestDecision_JSON(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]retry.Decision{
		`"verify","reason":"may_have_taken_effect","attempt":1`: {
			Action: retry.ActionVerify, Reason: "may_have_taken_effect", Attempt: 1,
		},
		`"retry","reason":"retryable","attempt":2,"delayMs":1500,"waitedMs":1`: {
			Action: retry.ActionRetry, Reason: "retryable", Attempt: 2, Delay: 1500 * time.Millisecond, Waited: 1,
		},
		`"fix_input","reason":"repeated_call","attempt":0`: {Action: retry.ActionFixInput, Reason: "repeated_call"},
	} {
		assert.Equal(t, `{"action":`+want+`}`, testutil.JSON(d))
	}
}

// TestText_RoundTrip checks the words of actions and safeties, and that they are read back.
func TestText_RoundTrip(t *testing.T) {
	t.Parallel()
	var actions []retry.Action
	for a := retry.ActionPropagate; a <= retry.ActionProvideInput; a++ {
		actions = append(actions, a)
	}
	roundTrip(t, actions, "propagate accept retry fix_input escalate reauthorize verify provide_input")
	roundTrip(t, safeties, "unknown read_only idempotent keyed")
	others := testutil.Words(retry.Decision{}.Action, retry.Action(99), retry.Action(-1), retry.Safety(99))
	assert.Equal(t, "propagate propagate propagate unknown", others)
	err := new(retry.Action).UnmarshalText([]byte("repeat"))
	require.ErrorContains(t, err, `retry: "repeat" is none of propagate, accept`)
	require.Error(t, new(retry.Safety).UnmarshalText(nil))
}

func roundTrip[T any](t *testing.T, values []T, want string) {
	t.Helper()
	assert.Equal(t, "["+want+"]", fmt.Sprint(values))
	encoded := testutil.JSON(values)
	assert.JSONEq(t, `["`+strings.ReplaceAll(want, " ", `","`)+`"]`, encoded)
	var got []T
	require.NoError(t, json.Unmarshal([]byte(encoded), &got))
	assert.Equal(t, values, got)
}
