package result_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// TestMiddleware_Envelopes checks what is sent for each failing tool, and for each kind of violation of
// a schema. It is the same in all protocol versions, of which those before the newest have no
// resultType, and over stdio and HTTP, with and without sessions.
func TestMiddleware_Envelopes(t *testing.T) {
	t.Parallel()
	var log, stdout bytes.Buffer
	type way struct {
		session *mcp.ClientSession
		wire    *testutil.Wire
	}
	ways, versions := map[string]way{}, mcp.SupportedProtocolVersions()
	for _, version := range versions {
		opts, wire := &mcp.ServerOptions{SupportedProtocolVersions: []string{version}}, new(testutil.Wire)
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, opts)
		addTools(server, logged(&log))
		ways[version] = way{testutil.Connect(t, server, wire), wire}
	}
	for name, options := range map[string]*mcp.StreamableHTTPOptions{"stateful": nil, "stateless": {Stateless: true}} {
		server := newServer(new(bytes.Buffer))
		front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options))
		t.Cleanup(front.Close)
		transport := &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}
		ways[name] = way{session: testutil.ConnectTo(t, transport, nil)}
	}
	stdio := testutil.ConnectTo(t, stdioServer(t, &stdout), nil)
	ways["stdio"] = way{session: stdio}

	calls, ids := 0, map[string]bool{}
	testutil.Recorded(t, "testdata/envelopes.txt", func(sample string) (answer string) {
		tool, arguments, _ := strings.Cut(sample, " ")
		for name, way := range ways {
			out := callTool(t, way.session, tool, json.RawMessage(cmp.Or(arguments, "{}")))
			name = sample + " over " + name
			require.True(t, out.Result != nil && out.Result.IsError, "%s: %v", name, out.Err)
			assert.Nil(t, out.Result.StructuredContent, name)
			if way.wire != nil {
				var reply struct {
					Result map[string]any `json:"result"`
				}
				require.NoError(t, json.Unmarshal(way.wire.Last(), &reply), name)
				delete(reply.Result, "_meta")
				members := map[string]any{"isError": true, "content": reply.Result["content"]}
				if way == ways[versions[0]] {
					members["resultType"] = "complete"
				}
				assert.Equal(t, members, reply.Result, name)
			}
			texts := ""
			for _, content := range out.Result.Content {
				texts += textOf(content) + "\n"
			}
			texts = strings.Replace(texts, `"correlationId":"`+out.Err.CorrelationID+`"`, `"correlationId":"*"`, 1)
			assert.Equal(t, cmp.Or(answer, texts), texts, name)
			for _, never := range []string{"hunter2", "10.0.0.7", "goroutine", ".go:", "no text", "no JSON"} {
				assert.NotContains(t, texts, never, name)
			}
			answer, ids[out.Err.CorrelationID] = texts, true
			calls++
		}
		return answer
	})
	assert.Len(t, ids, calls, "one for each call")
	assert.Empty(t, errOverLimit.CorrelationID, "a template is not changed")
	assert.Contains(t, log.String(), "10.0.0.7", "the cause is in the log")
	assert.NotContains(t, log.String(), "hunter2")
	assert.Contains(t, log.String(), "tools_test.go", "so is the stack")
	assert.Contains(t, log.String(), "gen_ai.tool.name=raw_panic")
	assert.Contains(t, log.String(), "assignment to entry in nil map")

	require.NoError(t, stdio.Close())
	assert.GreaterOrEqual(t, bytes.Count(stdout.Bytes(), []byte("\n")), calls/len(ways))
	for line := range bytes.Lines(stdout.Bytes()) {
		_, err := jsonrpc.DecodeMessage(line)
		require.NoError(t, err, "%s", line)
	}
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

// The text of an author is the message, whatever it says, and nothing stands beside it. Results
// and revealed errors are sent alike, also if the error is joined, wrapped or of an unknown type.
func TestMiddleware_Prose(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"issue_number":{"type":"integer"}}}`
	for _, words := range []string{
		"The moon is in the way.", "order 17 not found", "issue_number is required", `open "/x": no such file or directory`,
		"rate limit exceeded, retry after 30 seconds", "the board answered 503 Service Unavailable", "permission denied",
		"invalid character '<' looking for beginning of value",
		"Use branch_unprotect first.", "ERROR: duplicate key (SQLSTATE 23505)",
		`API error: {"code":"not_found","retryable":true}`, "context deadline exceeded",
	} {
		for way, fail := range map[string]toolFunc{
			"result":        answers(failed(words)),
			"error":         fails(errors.New(words)),
			"wrapped":       fails(fmt.Errorf("%w", errors.New(words))), //nolint:err113 // its text is
			"joined":        fails(errors.Join(errors.New(words))),
			"unknown type":  fails(ownError{words}),
			"beside errors": answers(withError(errors.New("at 10.0.0.7"), block(words))),
		} {
			opts := quiet()
			opts.CorrelationID = func(context.Context) string { return "id" }
			opts.Reveal = result.RevealAll
			server := serve(opts)
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)},
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return fail(ctx) })
			res, err := testutil.Connect(t, server, nil).
				CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(`{"path":"/x"}`)})
			require.NoError(t, err)
			message, err := jsonvalue.Marshal(words)
			require.NoError(t, err)
			assert.Equal(t, text(`{"isError":true,"isRetryable":false,"message":`+string(message)+`,"correlationId":"id"}`),
				res.Content, "%s, %s", words, way)
		}
	}
}

type ownError struct{ text string }

func (e ownError) Error() string { return e.text }

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
