package retry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type stepKey struct{}

// runKey returns a key for the step in the context of a program's run.
func runKey(ctx context.Context, params *mcp.CallToolParams) string {
	step, _ := ctx.Value(stepKey{}).(string)
	if step == "" {
		return ""
	}
	return fmt.Sprint("run-17/", step, "/", params.Name)
}

// TestPolicy_Key runs a program twice, as after a crash, on every kind of client.
func TestPolicy_Key(t *testing.T) {
	t.Parallel()
	type caller func(context.Context, *mcp.CallToolParams)
	for name, start := range map[string]func(*world) caller{
		"Client": func(w *world) caller {
			c := w.client(t)
			c.Key = runKey
			return func(ctx context.Context, p *mcp.CallToolParams) { c.CallTool(ctx, p) }
		},
		"CallTool, AsSession": func(w *world) caller {
			c := w.client(t)
			return func(ctx context.Context, p *mcp.CallToolParams) {
				retry.CallTool(ctx, retry.Policy{Key: runKey}, c.AsSession(), p)
			}
		},
		"AsSession": func(w *world) caller {
			c := w.client(t)
			c.Key = runKey
			return func(ctx context.Context, p *mcp.CallToolParams) { _, _ = c.AsSession().CallTool(ctx, p) }
		},
		"Middleware": func(w *world) caller {
			p := quick
			p.Key = runKey
			session := w.plainSession(t, p)
			return func(ctx context.Context, p *mcp.CallToolParams) { _, _ = session.CallTool(ctx, p) }
		},
		"CallTool": func(w *world) caller {
			p := quick
			p.Key, p.Safety = runKey, retry.SafetyKeyed
			session, err := w.connect(t.Context())
			require.NoError(t, err)
			return func(ctx context.Context, params *mcp.CallToolParams) { retry.CallTool(ctx, p, session, params) }
		},
	} {
		w := newWorld(gives(errLost, "done")) // the first attempt is repeated
		for range 2 {
			call := start(w)
			for _, step := range []string{"1", "2", ""} {
				call(context.WithValue(t.Context(), stepKey{}, step), tool("charge"))
			}
			call(context.WithValue(t.Context(), stepKey{}, "4"), tool("charge", map[string]any{"idempotency_key": "mine"}))
		}
		keys := make([]string, 9)
		for n := range keys {
			keys[n] = keyOf(t, w, int64(n)+1)
		}
		random := []string{keys[3], keys[7]}
		assert.Len(t, random[0], 36, name)
		assert.NotEqual(t, random[0], random[1], name)
		one, two := "run-17/1/charge", "run-17/2/charge"
		assert.Equal(t, []string{one, one, two, random[0], "mine", one, two, random[1], "mine"}, keys, name)
		assert.False(t, attempt.Of(w.got(t, 1).Meta).IsFirst(one), "%s: an earlier run may have used the key", name)
		assert.True(t, attempt.Of(w.got(t, 4).Meta).IsFirst(random[0]), name)
	}
}

// TestPolicy_KeyOfOtherTools checks that only a tool that takes a key gets one, and that a replay on
// the same client says how old the call is that may have taken effect.
func TestPolicy_KeyOfOtherTools(t *testing.T) {
	t.Parallel()
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		time.Sleep(2 * time.Millisecond) // an age is in whole milliseconds
		return answered(errLost)
	})
	c := w.client(t)
	c.Policy.Key, c.Policy.MaxAttempts = runKey, -1
	ctx := context.WithValue(t.Context(), stepKey{}, "1")
	for _, name := range []string{"write", "charge", "charge"} {
		out, d := c.CallTool(ctx, tool(name))
		assert.Equal(t, retry.ActionVerify, d.Action, name)
		assert.Equal(t, name == "charge", out.Err.IdempotencyKey == "run-17/1/charge", name)
	}
	assert.Empty(t, keyOf(t, w, 1))
	assert.Zero(t, attempt.Of(w.got(t, 2).Meta).UnknownFor)
	assert.NotZero(t, attempt.Of(w.got(t, 3).Meta).UnknownFor)
}

// TestClient_KeptKeys checks with which keys a client makes identical calls, in the order in which the
// keys are first used. A call ends as its word says, and one in capitals has the key K.
func TestClient_KeptKeys(t *testing.T) {
	t.Parallel()
	unknown := toolerr.Transient("No reply.").WithEffect(toolerr.EffectUnknown).WithRetryable(false)
	ends := map[string]any{
		"told": result.Failure(unknown), "lost": errLost, "done": "done", "refused": result.Failure(toolerr.Validation("No.")),
		"applied": result.Failure(unknown.WithEffect(toolerr.EffectApplied)), "found": "found", "none": result.Empty("None.", nil),
	}
	for steps, want := range map[string]string{
		"told done done": "001", "told refused refused done": "0000", "told found done": "00", "told none done": "01",
		"lost none done done":      "001", // it may still be running
		"lost none told none done": "001", "refused done": "01", "applied done": "01",
		"told DONE done": "0K0", "told TOLD done done done": "0K0K1", "APPLIED told done": "K00", "told found TOLD done done": "0KK0",
		"told found DONE done done": "0K01", "told TOLD none done": "0K1", "told found APPLIED done done": "0K01", "TOLD told REFUSED done": "KKKK", "lost TOLD none done": "0K0",
	} {
		answers, keys, got := []any{}, []string{}, ""
		for step := range strings.FieldsSeq(steps) {
			answers = append(answers, ends[strings.ToLower(step)])
		}
		w := newWorld(gives(answers...))
		c := w.client(t)
		c.Policy.MaxAttempts = -1
		for n, step := range strings.Fields(steps) {
			arguments := map[string]any{"order": "ORD-7"}
			if step == strings.ToUpper(step) {
				arguments["idempotency_key"] = "K"
			}
			name := map[bool]string{true: "read", false: "charge"}[step == "found" || step == "none"]
			c.CallTool(t.Context(), tool(name, arguments))
			switch key := keyOf(t, w, int64(n)+1); {
			case key == "K":
				got += key
			case key != "" && !slices.Contains(keys, key):
				keys = append(keys, key)
				fallthrough
			case key != "":
				got += fmt.Sprint(slices.Index(keys, key))
			}
		}
		assert.Equal(t, want, got, steps)
	}
}
