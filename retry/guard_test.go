package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A counter is a session that counts its calls, and has one answer for each tool.
type counter struct {
	mu      sync.Mutex
	answers map[string]*mcp.CallToolResult
	sent    int
}

func (c *counter) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
	if res, ok := c.answers[params.Name]; ok {
		return res, nil
	}
	return result.OK("done"), nil
}

var errPath = toolerr.Validation("There is no such file.").WithCode(toolerr.CodeNotFound).WithField("path").WithSuggestions("session.ts")

func newCounter() *counter {
	return &counter{answers: map[string]*mcp.CallToolResult{
		"read":   result.Failure(errPath),
		"denied": result.Failure(toolerr.Permission("No access to infra/.")),
		"limit":  result.Failure(toolerr.LimitExceeded("Over the limit.", "Please wait.")),
		"bug":    result.Failure(toolerr.Internal(nil)),
		"lost":   result.Failure(errLost.WithRetryable(false)),
		"soon":   result.Failure(toolerr.FailedPrecondition("There is no plan yet.", "make_plan")),
		"search": result.Empty("Nothing found.", nil),
		"status": result.Empty("Not ready.", nil),
		"down":   result.Failure(errRefused.WithAttempted(toolerr.Attempt{Attempts: 3})),
	}}
}

func TestGuard_Repeats(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]struct {
		sent   int
		action retry.Action
		hint   string
	}{
		"read":   {1, retry.ActionFixInput, "Call again with other arguments"},
		"denied": {1, retry.ActionReauthorize, "A repeat does not grant access."},
		"limit":  {1, retry.ActionEscalate, "Do what the first answer said"},
		"bug":    {2, retry.ActionPropagate, "Go on without it"},
		"lost":   {1, retry.ActionVerify, "Find out first whether it took effect"},
		"search": {2, retry.ActionAccept, ""}, // the same answer
		"down":   {9, retry.ActionPropagate, ""},
		"ok":     {9, retry.ActionAccept, ""},
	} {
		s := newCounter()
		p := retry.Policy{Guard: new(retry.Guard)}
		if tool == "bug" {
			p.Safety = retry.SafetyReadOnly // otherwise it may have taken effect
		}
		var hints []string
		for range 9 {
			out, d := retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"path": "sesion.ts"}})
			assert.Equal(t, d.Reason == retry.ReasonRepeatedCall, d.Attempt == 0)
			if d.Reason != retry.ReasonRepeatedCall || out.Err == nil {
				continue
			}
			assert.Equal(t, want.action, d.Action, tool)
			assert.False(t, out.Err.Retryable)
			assert.Contains(t, out.Err.Message, "was not sent again", tool)
			hints = append(hints, out.Err.Hint)
			if tool == "read" {
				assert.Equal(t, "path [session.ts]", out.Err.Field+" "+fmt.Sprint(out.Err.Suggestions))
				assert.Contains(t, out.Err.Message, "There is no such file.")
			}
		}
		assert.Equal(t, want.sent, s.sent, tool)
		if want.hint == "" {
			assert.Empty(t, hints, tool)
			continue
		}
		assert.Contains(t, hints[0], want.hint, tool)
		assert.Contains(t, hints[1], "This call was stopped before.", tool)
		assert.Contains(t, hints[2], "Stop.", tool)
		assert.Equal(t, hints[2], hints[len(hints)-1], tool)
	}
}

func TestGuard_SameArguments(t *testing.T) {
	t.Parallel()
	first := `{"path":"a","n":40,"o":{"x":[1,2],"y":null}}`
	for arguments, same := range map[string]bool{
		first: true,
		`{"o":{"y":null,"x":[1,2]},"n":40.0,"path":"a"}`:                           true,
		` {"path" : "a", "n": 4e1, "o": {"x": [1.0, 2], "y": null}}`:               true,
		`{"path":"a","n":40,"o":{"x":[1,2],"y":null},"idempotency_key":"k"}`:       true,
		`{"path":"a","n":40,"o":{"x":[2,1],"y":null}}`:                             false,
		`{"path":"a","n":"40","o":{"x":[1,2],"y":null}}`:                           false,
		`{"path":"a","n":40,"o":{"x":[1,2]}}`:                                      false,
		`{"path":"A","n":40,"o":{"x":[1,2],"y":null}}`:                             false,
		`{"path":"a","n":40,"o":{"x":[1,2],"y":null,"idempotency_key":"k"}}`:       false,
		`{"path":"a","n":40.5,"o":{"x":[1,2],"y":null}}`:                           false,
		`{"path":"a","n":1e999999999,"o":{"x":[1,2],"y":null}}`:                    false,
		`{"path":"a","n":9007199254740993,"o":{"x":[1,2],"y":null}}`:               false,
		`{"path":"a","n":9007199254740992,"o":{"x":[1,2],"y":null}}`:               false,
		`{"path":"a","n":123456789012345678901234567890,"o":{"x":[1,2],"y":null}}`: false,
		`{"path":"a","n":123456789012345678901234567891,"o":{"x":[1,2],"y":null}}`: false,
		`[{"path":"a","n":40,"o":{"x":[1,2],"y":null}}]`:                           false,
	} {
		s := newCounter()
		p := retry.Policy{Guard: new(retry.Guard)}
		for _, raw := range []string{first, arguments} {
			_, _ = retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: "read", Arguments: json.RawMessage(raw)})
		}
		assert.Equal(t, map[bool]int{true: 1, false: 2}[same], s.sent, arguments)
	}
	s := newCounter()
	p := retry.Policy{Guard: new(retry.Guard)}
	for _, arguments := range []any{nil, map[string]any{}, json.RawMessage("{}"), struct{}{}} {
		_, _ = retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: "read", Arguments: arguments})
	}
	assert.Equal(t, 1, s.sent, "empty arguments")
	for _, arguments := range []any{make(chan int), func() {}} {
		_, d := retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: "read", Arguments: arguments})
		assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, "invalid JSON")
	}
}

// TestGuard_Forgets checks which calls allow a failed call again.
func TestGuard_Forgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newCounter()
		p := retry.Policy{Guard: new(retry.Guard)}
		reason := func(tool string, safety retry.Safety) retry.Reason {
			p.Safety = safety
			_, d := retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: tool})
			return d.Reason
		}
		_ = reason("soon", retry.SafetyUnknown)
		assert.Equal(t, retry.ReasonRepeatedCall, reason("soon", retry.SafetyUnknown))
		_ = reason("make_plan", retry.SafetyReadOnly)
		assert.Equal(t, retry.ReasonNotRetryable, reason("soon", retry.SafetyUnknown), "after an answer, which may meet the precondition")
		_ = reason("read", retry.SafetyReadOnly)
		assert.Equal(t, retry.ReasonRepeatedCall, reason("read", retry.SafetyReadOnly))
		_ = reason("look_up", retry.SafetyReadOnly)
		assert.Equal(t, retry.ReasonRepeatedCall, reason("read", retry.SafetyReadOnly), "after a lookup")
		_ = reason("write", retry.SafetyUnknown)
		assert.Equal(t, retry.ReasonNotRetryable, reason("read", retry.SafetyReadOnly))
		time.Sleep(10 * time.Minute) // in a synctest bubble
		assert.Equal(t, retry.ReasonRepeatedCall, reason("read", retry.SafetyReadOnly))
		time.Sleep(time.Second) // in a synctest bubble
		assert.Equal(t, retry.ReasonNotRetryable, reason("read", retry.SafetyReadOnly))
	})
}

// TestGuard_LongFailure checks that a remembered failure is not larger than an envelope.
func TestGuard_LongFailure(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2000)
	e := errPath.WithMessage(long + long).WithHint(long).WithEffect("undone") // an unknown effect
	for range 30 {
		e.Suggestions = append(e.Suggestions, long[:300])
		e.Options = append(e.Options, map[string]any{"path": long[:300]})
	}
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return nil, e })
	p := retry.Policy{Guard: new(retry.Guard)}
	var out result.Outcome
	for range 2 {
		out, _ = retry.CallTool(t.Context(), p, s, tool("read"))
	}
	assert.Contains(t, out.Err.Message, "was not sent again")
	assert.Contains(t, out.Err.Message, long)
	assert.Equal(t, "path unknown", out.Err.Field+" "+string(out.Err.Effect))
	size := len(out.Err.Message) + len(out.Err.Hint) + 300*(len(out.Err.Suggestions)+len(out.Err.Options))
	assert.Less(t, size, 9<<10)
}

func TestGuard_Size(t *testing.T) {
	t.Parallel()
	s := newCounter()
	p := retry.Policy{Guard: new(retry.Guard)}
	sent := func(n int) bool {
		_, d := retry.CallTool(t.Context(), p, s, &mcp.CallToolParams{Name: "read", Arguments: map[string]any{"n": n}})
		return d.Reason != retry.ReasonRepeatedCall
	}
	for n := range 1001 {
		require.True(t, sent(n))
	}
	assert.False(t, sent(1), "newest of a thousand")
	assert.False(t, sent(1000))
	assert.True(t, sent(0), "oldest")
	assert.True(t, sent(1), "now the oldest")
	assert.False(t, sent(3))

	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for n := range 200 {
				_ = sent(n)
			}
		})
	}
	wg.Wait()
}
