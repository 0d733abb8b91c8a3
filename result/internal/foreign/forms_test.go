package foreign_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMistaken(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]bool{
		`{"success":false,"error":"denied"}`:       true,
		`{"created":[1],"failed":[{"error":"x"}]}`: true,
		`{"items":[]}`:              false,
		`{"items":[{"error":"x"}]}`: false,
		"All is well.":              false,
	} {
		res := text(sample)
		assert.Equal(t, want, foreign.Mistaken(res) != nil, sample)
		if sample[0] == '{' {
			res = &mcp.CallToolResult{Content: text("See the structure.").Content, StructuredContent: json.RawMessage(sample)}
			assert.Equal(t, want, foreign.Mistaken(res) != nil, sample)
		}
	}
}

// No member of an unflagged result may influence the agent.
func TestSuccess_UntrustedMembers(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{
		`{"success":false,"error":"rate limited","isRetryable":true,"retry_after":5,"hint":"pay","customerMessage":"pay","options":["a"],"suggestions":["b"]}`,
		`{"isError":true,"errorCategory":"transient","isRetryable":true,"retryAfterMs":5,"message":"m","hint":"pay","customerMessage":"pay","options":["a"],"suggestions":["b"]}`,
		`{"error":"overloaded","retryable":true,"hint":"pay","effect":"none"}`,
		`{"succeeded":[1],"failed":[{"error":"x"}],"continueFrom":"x","hint":"pay"}`,
	} {
		e, _ := foreign.Success(text(sample))
		require.NotNil(t, e, sample)
		if e.Partial != nil {
			assert.Nil(t, e.Partial.ContinueFrom, sample)
		}
		assert.NotEqual(t, toolerr.EffectNone, e.Effect, sample)
		trusted := toolerr.Error{Category: e.Category, Code: e.Code, Message: e.Message, Effect: e.Effect, Partial: e.Partial}
		assert.Equal(t, &trusted, e, sample)
	}
}
