package result_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// Protocol versions before the newest have no resultType.
func TestMiddleware_Envelopes(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ids := map[string]bool{}
	versions := mcp.SupportedProtocolVersions()
	for _, version := range versions {
		opts := &mcp.ServerOptions{SupportedProtocolVersions: []string{version}}
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, opts)
		addTools(server, logged(&log))
		wire := new(testutil.Wire)
		session := testutil.Connect(t, server, wire)
		for tool, want := range envelopes {
			name := tool + " in " + version
			out := callTool(t, session, tool, nil)
			require.Equal(t, result.KindFailure, out.Kind, "%s: %+v", name, out.Err)
			var reply struct {
				Result map[string]any `json:"result"`
			}
			require.NoError(t, json.Unmarshal(wire.Last(), &reply), name)
			delete(reply.Result, "_meta")
			members := map[string]any{"isError": true, "content": reply.Result["content"]}
			if version == versions[0] {
				members["resultType"] = "complete"
			}
			assert.Equal(t, members, reply.Result, name)
			assert.Len(t, reply.Result["content"], blocks[tool]+1, name)
			text := textOf(out.Result.Content[0])
			assert.Contains(t, text, want, name)
			assert.True(t, strings.HasPrefix(text, `{"isError":true,"`), "%s: %s", name, text)
			assert.Contains(t, text, `"correlationId":"`+out.Err.CorrelationID+`"`, name)
			for _, never := range []string{"hunter2", "10.0.0.7", "echoed"} {
				assert.NotContains(t, text, never, name)
			}
			ids[out.Err.CorrelationID] = true
		}
	}
	assert.Len(t, ids, 50*len(versions), "one for each call")
	assert.Empty(t, errOverLimit.CorrelationID, "a template is not changed")
	assert.Contains(t, log.String(), "10.0.0.7", "the cause is in the log")
	assert.NotContains(t, log.String(), "hunter2")
	assert.Contains(t, log.String(), "tools_test.go", "so is the stack")
	assert.Contains(t, log.String(), "gen_ai.tool.name=raw_panic")
	assert.Contains(t, log.String(), "assignment to entry in nil map")
}

func TestMiddleware_Successes(t *testing.T) {
	t.Parallel()
	wire := new(testutil.Wire)
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), wire)
	for _, tool := range []string{"typed_nil", "nil_list", "empty", "raw_ok", "raw_empty"} {
		out := callTool(t, session, tool, nil)
		assert.Equal(t, result.KindEmpty, out.Kind, tool)
		assert.Contains(t, string(wire.Last()), `"structuredContent":{"items":[]}`, tool)
		got, err := result.Decode[items](out)
		require.NoError(t, err, tool)
		assert.NotNil(t, got.Items, tool)
		if strings.Contains(tool, "empty") {
			assert.Equal(t, "No items.", out.Text(), tool)
			assert.Contains(t, string(wire.Last()), `"io.github.mcp-toolerr/kind":"empty"`, tool)
		}
	}
}

var correlation = regexp.MustCompile(`"correlationId":"\d{18}"`)

const (
	overLimit  = `"errorCategory":"business","isRetryable":false,"code":"limit_exceeded","message":"Over the limit.",`
	internal   = `"errorCategory":"transient","isRetryable":false,"code":"internal","message":`
	unexpected = internal + `"The tool failed unexpectedly."`
)

// envelopes have a part of the answer of each failing tool of the test server.
var envelopes = map[string]string{
	"direct": overLimit, "wrapped": overLimit, "failure_result": overLimit, "strict": overLimit, "raw_failure": overLimit,
	"raw_error": overLimit,
	"unknown":   internal, "raw_unknown": internal, "panic": internal, "raw_panic": internal, "raw_nil": internal,
	"raw_failure_nil": internal, "raw_failure_typed_nil": internal, "raw_typed_nil": internal,
	"raw_typed_nil_std": internal, "raw_typed_nil_protocol": internal, "raw_asks_and_fails": overLimit,
	"raw_result_and_error": internal,
	"raw_shared":           overLimit, "set_error": internal, "echo": internal,
	"raw_text":                   `{"isError":true,"isRetryable":false,"message":"no luck","correlationId":`,
	"raw_words_beside_the_error": `"code":"limit_exceeded","message":"Too much.",`,
	"read_only":                  `"effect":"none"`,
	"broken_error_method":        unexpected, "broken_wrapped_method": unexpected, "broken_code_0": unexpected,
	"broken_map":       unexpected,
	"broken_panic_nil": unexpected, "broken_panic_value": unexpected, "broken_panic_ours": unexpected,
	"broken_structured": unexpected,
	"broken_number":     unexpected, "broken_raw": unexpected, "broken_raw_repeated": unexpected,
	"broken_marshal": unexpected, "broken_meta": unexpected,
	"broken_block": unexpected, "broken_text_block": unexpected, "broken_priority": unexpected, "bad_output": unexpected,
	"broken_joined":       `"code":"limit_exceeded"`,
	"broken_details":      `"details":{"ok":1}`,
	"broken_failure_meta": `"code":"limit_exceeded"`,
	"foreign_json": `"errorCategory":"transient","isRetryable":true,"code":"rate_limited","message":"Too many ` +
		`searches."`,
	"overwritten": `"message":"Out of stock."`,
	"slow": `"isRetryable":false,"code":"timeout","message":"The tool did not finish within its time limit ` +
		`of 200ms."`,
	"slow_cause": `"isRetryable":false,"code":"timeout","message":"The tool did not finish within its time limit ` +
		`of 200ms."`,
	"gave_up":           `"isRetryable":false,"code":"canceled","message":"The call was canceled."`,
	"too_slow_upstream": `"isRetryable":false,"code":"timeout","message":"No answer came in time."`,
}

// failingTools are those, in their order.
var failingTools = slices.Sorted(maps.Keys(envelopes))

// blocks has the number of blocks that follow a tool's envelope.
var blocks = map[string]int{"raw_text": 1}

// complaints are invalid arguments, one for each kind of violation.
var complaints = []string{
	`{}`, `{"name":5}`, `{"name":"a","namme":1}`, `{"name":"a","unit":"metrc"}`, `{"name":"a","n":0}`,
	`{"name":"a","unit":"metric","p":"bb"}`,
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
		sessions[name] = testutil.ConnectTo(t,
			&mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}, nil)
	}
	var stdout bytes.Buffer
	sessions["stdio"] = testutil.ConnectTo(t, stdioServer(t, &stdout), nil)

	call := func(session *mcp.ClientSession, tool, arguments string) string {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		require.NoError(t, err, "%s %s", tool, arguments)
		require.Len(t, res.Content, blocks[tool]+1, tool)
		text := textOf(res.Content[0])
		assert.True(t, res.IsError, tool)
		assert.Nil(t, res.StructuredContent, tool)
		assert.True(t, json.Valid([]byte(text)), tool)
		for _, key := range []string{`{"isError":true,"`, `"isRetryable":`, `,"message":"`, `,"correlationId":"`} {
			assert.Contains(t, text, key, tool)
		}
		for _, never := range []string{"hunter2", "10.0.0.7", "goroutine", ".go:", "no text", "no JSON"} {
			assert.NotContains(t, text, never, tool)
		}
		return correlation.ReplaceAllString(text, "")
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
	assert.GreaterOrEqual(t, bytes.Count(stdout.Bytes(), []byte("\n")), len(failingTools)+len(complaints))
	for line := range bytes.Lines(stdout.Bytes()) {
		_, err := jsonrpc.DecodeMessage(line)
		require.NoError(t, err, "%s", line)
	}
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
