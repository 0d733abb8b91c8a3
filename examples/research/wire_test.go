package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// connect starts a subagent as a process of its own, and returns a function that
// calls it, and what came back over its stdout.
func connect(t *testing.T, args ...string) func(tool, args string) wireResult {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	wire := new(testutil.Wire)
	session := testutil.ConnectTo(t, &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), path, args...)}, wire)
	return func(tool, args string) (out wireResult) {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		require.NoError(t, err)
		var reply struct {
			Result wireResult `json:"result"`
		}
		require.NoError(t, json.Unmarshal(wire.Last(), &reply))
		return reply.Result
	}
}

type wireResult struct {
	IsError           bool              `json:"isError"`
	StructuredContent json.RawMessage   `json:"structuredContent"`
	Content           []mcp.TextContent `json:"content"`
}

// envelope checks for what every failure has on the wire, and returns its text and
// its members.
func (r wireResult) envelope(t *testing.T) (text string, members map[string]any) {
	t.Helper()
	assert.True(t, r.IsError)
	assert.Nil(t, r.StructuredContent)
	require.Len(t, r.Content, 1)
	text = r.Content[0].Text
	require.NoError(t, json.Unmarshal([]byte(text), &members), text)
	assert.Equal(t, true, members["isError"])
	for _, key := range []string{"errorCategory", "isRetryable", "message", "hint", "correlationId"} {
		assert.Contains(t, members, key)
	}
	return text, members
}

func TestWire_HandedUp(t *testing.T) {
	t.Parallel()
	call := connect(t, "-agent", "archive")
	text, got := call("search", `{"query":"backoff congestion"}`).envelope(t)
	assert.Equal(t, []any{"transient", "unavailable", false}, []any{got["errorCategory"], got["code"], got["isRetryable"]})
	assert.Equal(t, []any{"search_mirror"}, got["alternatives"])
	attempted, ok := got["attempted"].([]any)
	require.True(t, ok)
	require.Len(t, attempted, 1)
	tried, ok := attempted[0].(map[string]any)
	require.True(t, ok)
	assert.NotEmpty(t, tried["elapsedMs"])
	delete(tried, "elapsedMs")
	assert.Equal(t, map[string]any{
		"tool": "archive", "arguments": map[string]any{"query": "backoff congestion", "from": 6.0, "limit": 5.0},
		"attempts": 3.0, "errorCategory": "transient", "code": "unavailable", "effect": "none",
	}, tried, "the very question, and how often")
	partial, ok := got["partial"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, []any{5.0, 10.0}, []any{partial["processed"], partial["total"]})
	assert.NotContains(t, partial, "continueFrom", "there is nothing to go on with")
	assert.NotContains(t, text, "127.0.0.1", "where the source is stays in the log")

	// The second time there is not even a part. The call has been repeated already, so
	// that a host which reads the flag alone does not do it again.
	_, got = call("search", `{"query":"backoff"}`).envelope(t)
	assert.Equal(t, false, got["isRetryable"])
	assert.NotContains(t, got, "partial")
	assert.Contains(t, got, "attempted")
	assert.Equal(t, []any{"search_mirror"}, got["alternatives"])
}

func TestWire_Partial(t *testing.T) {
	t.Parallel()
	call := connect(t, "-agent", "rfcs")
	text, got := call("search", `{"query":"congestion retransmission backoff"}`).envelope(t)
	assert.Contains(t, text, `"partial":{"processed":15,"total":50,"continueFrom":16,"results":{"hits":[{"id":"RFC 675",`)
	assert.Equal(t, false, got["isRetryable"])
	assert.InDelta(t, 200, got["retryAfterMs"], 0)
	assert.NotContains(t, got, "alternatives")
}

// With all its attempts the subagent says nothing of what it went through.
func TestWire_Recovery(t *testing.T) {
	t.Parallel()
	answer := connect(t, "-agent", "papers")("search", `{"query":"backoff"}`)
	assert.False(t, answer.IsError)
	require.NotEmpty(t, answer.Content)
	for _, word := range []string{"attempt", "timeout\"", "unavailable", "errorCategory", "503"} {
		assert.NotContains(t, answer.Content[0].Text, word)
	}
	text, got := connect(t, "-agent", "papers", "-attempts", "1")("search", `{"query":"backoff"}`).envelope(t)
	assert.Equal(t, "timeout", got["code"])
	assert.Equal(t, 1, strings.Count(text, `"attempts":1`))
}
