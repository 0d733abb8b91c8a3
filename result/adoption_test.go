package result_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// With RevealAll an existing server loses no text: all that the SDK alone sends of a failure is
// in the envelope or follows it, and successes are the same.
func TestRevealAll_ExistingServer(t *testing.T) {
	t.Parallel()
	bare := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addFailingTools(bare)
	opts := quiet()
	opts.Reveal = result.RevealAll
	adopted := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(adopted, opts)
	wireBefore, wireAfter := new(testutil.Wire), new(testutil.Wire)
	before, after := testutil.Connect(t, bare, wireBefore), testutil.Connect(t, adopted, wireAfter)
	compared := 0
	for _, tool := range failingTools {
		if !answersWithoutMiddleware(tool) {
			continue
		}
		said := map[string]bool{}
		res, err := before.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		if strings.Contains(string(wireBefore.Last()), `\"isError\":true`) {
			continue // an envelope, which existing servers do not send
		}
		addSaid(said, res, err)
		out := result.Parse(after.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.Equal(t, result.KindFailure, out.Kind, tool)
		kept := map[string]bool{}
		addSaid(kept, out.Result, nil)
		for word := range said {
			assert.True(t, kept[word], "%s: %q is not in %s", tool, word, out.Text())
		}
		compared++
	}
	assert.GreaterOrEqual(t, compared, 12)
	for _, arguments := range complaints {
		params := &mcp.CallToolParams{Name: "every_keyword", Arguments: json.RawMessage(arguments)}
		res, err := before.CallTool(t.Context(), params)
		require.NoError(t, err, arguments)
		out := result.Parse(after.CallTool(t.Context(), params))
		assert.Contains(t, out.Text(), res.Content[0].(*mcp.TextContent).Text, arguments) //nolint:errcheck // otherwise it panics
	}
	for _, tool := range []string{"nil_list", "empty", "raw_ok", "raw_empty"} {
		_, err := before.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		require.NoError(t, err, tool)
		_, err = after.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		require.NoError(t, err, tool)
		assert.Equal(t, withoutID(t, wireBefore.Last()), withoutID(t, wireAfter.Last()), tool)
	}
}

// answersWithoutMiddleware reports whether the answer of a tool can be compared: it neither
// ends the server nor hangs, and the middleware neither translates nor masks its text.
func answersWithoutMiddleware(tool string) bool {
	for _, part := range []string{"panic", "nil", "method", "map", "structured", "number", "raw_repeated", "broken_raw", "marshal", "meta", "block", "priority", "slow", "gave_up"} {
		if strings.Contains(tool, part) {
			return false
		}
	}
	return tool != "wrapped" && tool != "broken_joined"
}

// addSaid adds the words of an answer to a set.
func addSaid(words map[string]bool, res *mcp.CallToolResult, err error) {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		addWords(words, wire.Message)
		return
	}
	if res == nil {
		return
	}
	for _, content := range res.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			addWords(words, text.Text)
		}
	}
}

func withoutID(t *testing.T, message []byte) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal(message, &m))
	delete(m, "id")
	return m
}
