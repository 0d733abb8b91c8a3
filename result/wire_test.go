package result_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

var correlation = regexp.MustCompile(`"correlationId":"\d{18}"`)

// failingTools are the failing tools of the test server.
var failingTools = []string{
	"direct", "wrapped", "unknown", "panic", "failure_result", "strict", "read_only", "raw_failure", "raw_error", "raw_unknown", "raw_nil",
	"raw_panic", "raw_failure_nil", "raw_typed_nil", "raw_text", "raw_words_beside_the_error", "raw_typed_nil_std", "raw_asks_and_fails",
	"raw_result_and_error", "set_error", "echo", "arguments", "raw_failure_typed_nil", "raw_typed_nil_protocol", "raw_shared",
	"broken_error_method", "broken_wrapped_method", "broken_joined", "broken_details", "broken_code_0", "broken_map", "broken_panic_nil",
	"broken_panic_value", "broken_panic_ours", "broken_structured", "broken_number", "broken_raw", "broken_raw_repeated", "broken_marshal",
	"broken_meta", "broken_block", "broken_text_block", "broken_priority", "broken_failure_meta", "foreign_json", "slow", "slow_cause",
	"gave_up", "too_slow_upstream", "overwritten", "bad_output",
}

// blocks has the number of blocks that follow a tool's envelope.
var blocks = map[string]int{"raw_text": 1}

// complaints are invalid arguments, one for each kind of violation.
var complaints = []string{
	`{}`, `{"name":5}`, `{"name":"a","namme":1}`, `{"name":"a","unit":"metrc"}`, `{"name":"a","n":0}`, `{"name":"a","unit":"metric","p":"bb"}`,
	`{"name":"a","o":{}}`, `{"name":"a","rows":[{"sku":"x"},{"sku":3}]}`, `[]`,
}

// The text on the wire is the same over stdio, over HTTP with and without sessions, and in
// memory, for every failing tool.
func TestMiddleware_Transports(t *testing.T) {
	t.Parallel()
	sessions := map[string]*mcp.ClientSession{"memory": testutil.Connect(t, newServer(new(bytes.Buffer)), nil)}
	for name, options := range map[string]*mcp.StreamableHTTPOptions{"stateful": nil, "stateless": {Stateless: true}} {
		server := newServer(new(bytes.Buffer))
		front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options))
		t.Cleanup(front.Close)
		sessions[name] = testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}, nil)
	}
	var stdout bytes.Buffer
	stdio := stdioServer(t, &stdout)
	sessions["stdio"] = testutil.ConnectTo(t, stdio, nil)

	call := func(session *mcp.ClientSession, tool, arguments string) string {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		require.NoError(t, err, "%s %s", tool, arguments)
		require.Len(t, res.Content, blocks[tool]+1, tool)
		text, ok := res.Content[0].(*mcp.TextContent)
		require.True(t, ok)
		assert.True(t, res.IsError, tool)
		assert.Nil(t, res.StructuredContent, tool)
		assert.True(t, json.Valid([]byte(text.Text)), tool)
		for _, key := range []string{`{"isError":true,"`, `"isRetryable":`, `,"message":"`, `,"correlationId":"`} {
			assert.Contains(t, text.Text, key, tool)
		}
		for _, never := range []string{"hunter2", "10.0.0.7", "goroutine", ".go:", "no text", "no JSON"} {
			assert.NotContains(t, text.Text, never, tool)
		}
		return correlation.ReplaceAllString(text.Text, "")
	}
	same := func(tool, arguments string) {
		want := call(sessions["memory"], tool, arguments)
		for _, name := range []string{"stdio", "stateful", "stateless"} {
			assert.Equal(t, want, call(sessions[name], tool, arguments), "%s %s over %s", tool, arguments, name)
		}
	}
	for _, tool := range failingTools {
		same(tool, `{}`)
	}
	for _, arguments := range complaints {
		same("every_keyword", arguments)
	}

	require.NoError(t, sessions["stdio"].Close())
	lines := 0
	for line := range bytes.Lines(stdout.Bytes()) {
		_, err := jsonrpc.DecodeMessage(line)
		require.NoError(t, err, "%s", line)
		lines++
	}
	assert.GreaterOrEqual(t, lines, len(failingTools)+len(complaints))
}

// stdioServer starts this test binary as the server, and copies its output to stdout.
func stdioServer(t *testing.T, stdout *bytes.Buffer) mcp.Transport {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self)
	command.Env = append(os.Environ(), beServer+"=1")
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Wait() })
	return &mcp.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{io.TeeReader(out, stdout), out}, Writer: in}
}

// The envelopes of broken tools. TestMiddleware_Transports only compares them.
func TestMiddleware_BrokenTools(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	session := testutil.Connect(t, newServer(&log), nil)
	internal := `"errorCategory":"transient","isRetryable":false,"code":"internal","message":"The tool failed unexpectedly."`
	for tool, want := range map[string]string{
		"broken_error_method": internal, "broken_wrapped_method": internal, "broken_code_0": internal, "broken_map": internal,
		"broken_panic_nil": internal, "broken_panic_value": internal, "broken_panic_ours": internal, "broken_structured": internal,
		"broken_number": internal, "broken_raw": internal, "broken_raw_repeated": internal, "broken_marshal": internal, "broken_meta": internal,
		"broken_block": internal, "broken_text_block": internal, "broken_priority": internal, "bad_output": internal,
		"broken_joined":       `"code":"limit_exceeded"`,
		"broken_details":      `"details":{"ok":1}`,
		"broken_failure_meta": `"code":"limit_exceeded"`,
		"foreign_json":        `"errorCategory":"transient","isRetryable":false,"code":"rate_limited","message":"Too many searches."`,
		"overwritten":         `"message":"Out of stock."`,
		"slow":                `"isRetryable":false,"code":"timeout","message":"The tool did not finish within its time limit of 200ms."`,
		"slow_cause":          `"isRetryable":false,"code":"timeout","message":"The tool did not finish within its time limit of 200ms."`,
		"gave_up":             `"isRetryable":false,"code":"canceled","message":"The call was cancelled."`,
		"too_slow_upstream":   `"isRetryable":false,"code":"timeout","message":"No answer came in time."`,
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.Equal(t, result.KindFailure, out.Kind, tool)
		assert.Contains(t, out.Text(), want, tool)
	}
	assert.Contains(t, log.String(), "assignment to entry in nil map")
}

// On the wire, a call that is not possible is a protocol error, and a failed call is a result.
func TestMiddleware_ErrorChannels(t *testing.T) {
	t.Parallel()
	wire := new(testutil.Wire)
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), wire)
	for tool, want := range map[string]string{
		"no_such_tool": `-32602 unknown tool "no_such_tool"`,
		"raw_protocol": "-32042 as meant", // by its handler
		"arguments":    "isError true",    // without an argument that it needs
		"direct":       "isError true",
		"unknown":      "isError true",
		"panic":        "isError true",
		"empty":        "isError ",
	} {
		_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		var reply map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(wire.Last(), &reply), tool)
		delete(reply, "jsonrpc")
		delete(reply, "id")
		require.Len(t, reply, 1, "%s: %s", tool, wire.Last())
		got := ""
		if raw, ok := reply["error"]; ok {
			var e struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			}
			require.NoError(t, json.Unmarshal(raw, &e))
			got = fmt.Sprint(e.Code, " ", e.Message)
		} else {
			var res map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(reply["result"], &res), tool)
			got = "isError " + string(res["isError"])
		}
		assert.Equal(t, want, got, tool)
	}
}

// Protocol versions before 2026-07-28 have no resultType.
func TestMiddleware_OlderProtocolVersions(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions()[1:] {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
		addTools(server, logged(io.Discard))
		wire := new(testutil.Wire)
		session := testutil.Connect(t, server, wire)
		for _, tool := range failingTools {
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
