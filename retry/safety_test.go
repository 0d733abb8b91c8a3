package retry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/retry"
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

func TestClient_Safety(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		calls  int64
		action retry.Action
	}{"read": {2, retry.ActionAccept}, "charge": {2, retry.ActionAccept}, "write": {1, retry.ActionVerify}} {
		w := newWorld(gives(errLost, "done"))
		out, d := call(t, w.client(t), name)
		assert.Equal(t, want.action, d.Action, name)
		assert.Equal(t, want.calls, w.calls.Load(), name)
		switch name {
		case "charge":
			assert.Equal(t, keyOf(t, w, 1), keyOf(t, w, 2))
			assert.Len(t, keyOf(t, w, 1), 36)
		case "write":
			assert.Equal(t, "write", out.Err.Attempted[0].Tool)
		}
		assert.Equal(t, int64(1), w.connects.Load())
		for n := range want.calls {
			assert.Regexp(t, fmt.Sprintf(`attempt:%d \S+call:\w{26}`, n+1), fmt.Sprint(w.got(t, n+1).Meta))
		}
		if name == "read" {
			continue // its server states effect none for each failure
		}
		w = newWorld(gives(errLost, "done"))
		distrusting := w.client(t)
		distrusting.Safety = nil
		_, d = call(t, distrusting, name)
		assert.Equal(t, "verify 1", fmt.Sprint(d.Action, " ", w.calls.Load()), name)
	}
	// A tool without this key argument gets no key, whatever the policy says.
	for name, safety := range map[string]retry.Safety{"charge": retry.SafetyUnknown, "write": retry.SafetyKeyed} {
		w := newWorld(gives(errLost, "done"))
		c := w.client(t)
		c.Policy.KeyArgument, c.Policy.Safety = "request_id", safety
		_, _ = call(t, c, name)
		assert.Equal(t, int64(1), w.calls.Load(), "calls of a tool with another key argument or none")
	}
	type key string
	w := newWorld(gives(errLost, "done"))
	_, d := w.client(t).CallTool(t.Context(), tool("charge", map[string]any{"idempotency_key": key("k")}))
	assert.Equal(t, "accept k", fmt.Sprint(d.Action, " ", keyOf(t, w, 2)), "a text of the program's own type")
	// Nor if the program's own function says that it is keyed; and a key that is no text is the caller's.
	for name, arguments := range map[string]any{"write": nil, "charge": map[string]any{"idempotency_key": 7}} {
		w := newWorld(gives(errLost, "done"))
		c := w.client(t)
		c.Safety = func(*mcp.Tool) retry.Safety { return retry.SafetyKeyed }
		_, d := c.CallTool(t.Context(), tool(name, arguments))
		assert.Equal(t, "verify 1", fmt.Sprint(d.Action, " ", w.calls.Load()), name)
		assert.NotContains(t, string(w.got(t, 1).Arguments), "-", "no key of ours")
	}
	// The program's own function is not asked about tools that are not listed, and is believed.
	for name, want := range map[string]string{"charge": "verify 1", "invented": "fix_input 0"} {
		w := newWorld(gives(errLost, "done"))
		c := w.client(t)
		c.Safety = func(tool *mcp.Tool) retry.Safety { return retry.Safety(len(tool.Name) / 99) } // unknown
		_, d := call(t, c, name)
		assert.Equal(t, want, fmt.Sprint(d.Action, " ", w.calls.Load()), name)
	}
}
