package retry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestSafetyOf_ExpensivePatterns checks that patterns that are expensive to compile are
// skipped.
func TestSafetyOf_ExpensivePatterns(t *testing.T) { //nolint:paralleltest // it counts allocations
	keyed := func(argument any) *mcp.Tool {
		raw, err := json.Marshal(map[string]any{"properties": map[string]any{"idempotency_key": argument}})
		require.NoError(t, err)
		return &mcp.Tool{InputSchema: json.RawMessage(raw)}
	}
	many := make([]any, 1000)
	for i := range many {
		many[i] = map[string]any{"pattern": fmt.Sprintf(`^[^ ]{1,%d}$`, 36+i%300)}
	}
	for name, tool := range map[string]*mcp.Tool{
		"classes":  keyed(map[string]any{"pattern": strings.Repeat(`\pL{1000}`, 100)}),
		"repeated": keyed(map[string]any{"pattern": `((((\pL|.){10}){10}){10})?.*`}),
		"many":     keyed(map[string]any{"anyOf": many}),
	} {
		allocated := testing.AllocsPerRun(1, func() { assert.Equal(t, retry.SafetyUnknown, retry.SafetyOf(tool), name) })
		assert.Less(t, allocated, 40_000.0, name)
	}
	assert.Equal(t, retry.SafetyKeyed, retry.SafetyOf(keyed(map[string]any{"pattern": `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`})))
	assert.Equal(t, retry.SafetyKeyed, retry.SafetyOf(keyed(map[string]any{"pattern": `^.{1,255}$`})))
}
