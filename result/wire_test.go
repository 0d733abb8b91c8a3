package result_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

var correlation = regexp.MustCompile(`"correlationId":"[A-Z0-9]+"`)

// The text on the wire is the same over HTTP, with sessions and without, and in
// memory, for every way of failing.
func TestTheWireIsTheSameOverHTTP(t *testing.T) {
	t.Parallel()
	failing := []string{
		"direct", "wrapped", "unknown", "panic", "failure_result", "strict", "read_only", "raw_failure", "raw_error", "raw_unknown", "raw_nil",
		"raw_panic", "raw_failure_nil", "raw_typed_nil", "raw_text", "raw_words_beside_the_error", "raw_typed_nil_std", "raw_asks_and_fails",
		"raw_result_and_error", "set_error", "echo", "arguments",
	}
	memoryWire := new(testutil.Wire)
	sessions := map[string]*mcp.ClientSession{"memory": testutil.Connect(t, newServer(new(bytes.Buffer)), memoryWire)}
	for name, options := range map[string]*mcp.StreamableHTTPOptions{"stateful": nil, "stateless": {Stateless: true}} {
		server := newServer(new(bytes.Buffer))
		front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options))
		t.Cleanup(front.Close)
		sessions[name] = testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}, nil)
	}
	for _, tool := range failing {
		texts := map[string]string{}
		for name, session := range sessions {
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			require.NoError(t, err, "%s over %s", tool, name)
			require.Len(t, res.Content, 1, "%s over %s", tool, name)
			text, ok := res.Content[0].(*mcp.TextContent)
			require.True(t, ok)
			assert.True(t, res.IsError)
			assert.Nil(t, res.StructuredContent)
			texts[name] = correlation.ReplaceAllString(text.Text, "")
		}
		assert.Equal(t, texts["memory"], texts["stateful"], tool)
		assert.Equal(t, texts["memory"], texts["stateless"], tool)
	}
}

// Versions of the protocol before 2026-07-28 know no resultType.
func TestOlderProtocolVersions(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions()[1:] {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
		addTools(server, new(bytes.Buffer))
		wire := new(testutil.Wire)
		session := testutil.Connect(t, server, wire)
		for _, tool := range []string{"direct", "raw_error", "raw_panic", "raw_nil"} {
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			require.NoError(t, err, "%s in %s", tool, version)
			assert.True(t, res.IsError)
			var reply struct {
				Result map[string]json.RawMessage `json:"result"`
			}
			require.NoError(t, json.Unmarshal(wire.Last(), &reply))
			assert.NotContains(t, reply.Result, "resultType", "%s in %s", tool, version)
			assert.Contains(t, string(reply.Result["content"]), `\"isError\":true`)
		}
	}
}
