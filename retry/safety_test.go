package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestSafetyOf records the safety of tools.
func TestSafetyOf(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/tools.txt", func(sample string) string {
		tool := new(mcp.Tool)
		require.NoError(t, json.Unmarshal([]byte(sample), tool), sample)
		return retry.SafetyOf(tool).String()
	})
	assert.Equal(t, retry.SafetyUnknown, retry.SafetyOf(nil))
	long := keyedBy(map[string]any{"pattern": strings.Repeat("a?", 200_000)})
	assert.Equal(t, retry.SafetyUnknown, retry.SafetyOf(&mcp.Tool{InputSchema: long}), "too long to be checked")
}

// keyedBy returns the schema of a tool with this schema for its key.
func keyedBy(key any) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": key}}
}

// TestSafetyOf_ExpensivePatterns checks that patterns that are expensive to compile are skipped.
func TestSafetyOf_ExpensivePatterns(t *testing.T) { //nolint:paralleltest // it counts allocations
	many := make([]any, 1000)
	for i := range many {
		many[i] = map[string]any{"pattern": fmt.Sprintf(`^[^ ]{1,%d}$`, 36+i%300)}
	}
	for name, argument := range map[string]any{
		"classes":  map[string]any{"pattern": strings.Repeat(`\pL{1000}`, 100)},
		"repeated": map[string]any{"pattern": `((((\pL|.){10}){10}){10})?.*`},
		"many":     map[string]any{"anyOf": many},
	} {
		raw, err := json.Marshal(keyedBy(argument))
		require.NoError(t, err)
		tool := &mcp.Tool{InputSchema: json.RawMessage(raw)}
		allocated := testing.AllocsPerRun(1, func() { assert.Equal(t, retry.SafetyUnknown, retry.SafetyOf(tool), name) })
		assert.Less(t, allocated, 40_000.0, name)
	}
}

// TestClient_Safety records what becomes of a call whose first answer is lost: what is done, the calls, and their key.
// After the tool, a sample may have what the client is, and the key of the caller.
func TestClient_Safety(t *testing.T) {
	t.Parallel()
	type text string
	testutil.Recorded(t, "testdata/safety.txt", func(sample string) string {
		name, settings, _ := strings.Cut(sample, " ")
		w := newWorld(gives(errLost, "done"))
		c, params := w.client(t), tool(name)
		for setting := range strings.FieldsSeq(settings) {
			what, value, _ := strings.Cut(setting, "=")
			var s retry.Safety
			switch isSafety := s.UnmarshalText([]byte(value)) == nil; what {
			case "distrusts":
				c.Safety = nil
			case "says":
				require.True(t, isSafety, sample)
				c.Safety = func(tool *mcp.Tool) retry.Safety { assert.NotNil(t, tool); return s }
			case "policy":
				require.True(t, isSafety, sample)
				c.Policy.KeyArgument, c.Policy.Safety = "request_id", s
			case "key": // of the program's own type, or no text
				keys := map[string]any{"k": text("k"), "7": 7}
				params = tool(name, map[string]any{"idempotency_key": keys[value]})
			default:
				require.Fail(t, "unknown setting", sample)
			}
		}
		out, d := c.CallTool(t.Context(), params)
		key := ""
		for n := range w.calls.Load() {
			assert.True(t, n == 0 || keyOf(t, w, n+1) == key, "%s: the same key", sample)
			assert.Regexp(t, fmt.Sprintf(`attempt:%d \S+call:\w{26}`, n+1), fmt.Sprint(w.got(t, n+1).Meta), sample)
			key = keyOf(t, w, n+1)
		}
		if len(key) == 36 {
			key = "new"
		}
		assert.True(t, out.Err == nil || out.Err.Attempted == nil || out.Err.Attempted[0].Tool == name, sample)
		return testutil.Words(d.Action, w.calls.Load(), key)
	})
}

type stepKey struct{}

// runKey returns a key for the step in the context of a program's run.
func runKey(ctx context.Context, params *mcp.CallToolParams) string {
	if step, _ := ctx.Value(stepKey{}).(string); step != "" {
		return fmt.Sprint("run-17/", step, "/", params.Name)
	}
	return ""
}

// TestPolicy_Key runs a program twice, as after a crash, on every kind of client.
func TestPolicy_Key(t *testing.T) {
	t.Parallel()
	p := quick
	p.Key = runKey
	for name, start := range programs {
		w := newWorld(gives(errLost, "done")) // the first attempt is repeated
		for range 2 {
			call := start(t, w, p)
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

// TestClient_KeptKeys records with which keys a client makes identical calls.
func TestClient_KeptKeys(t *testing.T) {
	t.Parallel()
	unknown := toolerr.Transient("No reply.").WithEffect(toolerr.EffectUnknown).WithRetryable(false)
	ends := map[string]any{
		"told": result.Failure(unknown), "lost": errLost, "done": "done",
		"refused": result.Failure(toolerr.Validation("No.")),
		"applied": result.Failure(unknown.WithEffect(toolerr.EffectApplied)), "found": "found",
		"none": result.Empty("None.", nil),
	}
	testutil.Recorded(t, "testdata/kept_keys.txt", func(steps string) (got string) {
		answers, keys := []any{}, []string{}
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
		return got
	})
}
