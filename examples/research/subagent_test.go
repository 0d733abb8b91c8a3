package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// subagentOf returns a session with a subagent, in this process, whose source has this trouble.
func subagentOf(t *testing.T, name string, trouble trouble) *mcp.ClientSession {
	t.Helper()
	s, err := startSource(name)
	require.NoError(t, err)
	t.Cleanup(s.close)
	s.mu.Lock() // as the first request does
	s.trouble = trouble
	s.mu.Unlock()
	return testutil.Connect(t, newServer(name, s.URL, 1, s.entries, slog.New(slog.DiscardHandler)), nil)
}

func search(t *testing.T, session *mcp.ClientSession, arguments string) result.Outcome {
	t.Helper()
	return result.Parse(session.CallTool(t.Context(),
		&mcp.CallToolParams{Name: "search", Arguments: json.RawMessage(arguments)}))
}

func TestSubagent_Search(t *testing.T) {
	t.Parallel()
	session := subagentOf(t, "rfcs", nil)
	for arguments, want := range map[string]string{
		`{"query":"congestion retransmission backoff"}`:                                   "50 of 50, RFC 675 to RFC 9002",
		`{"query":"congestion retransmission backoff","limit":7}`:                         "7 of 50, RFC 675 to RFC 1016",
		`{"query":"congestion retransmission backoff","limit":5}`:                         "5 of 50, RFC 675 to RFC 970",
		`{"query":"congestion retransmission backoff","continue_from":16}`:                "35 of 50, RFC 2140 to RFC 9002",
		`{"query":"congestion retransmission backoff","continue_from":50,"limit":50}`:     "1 of 50, RFC 9002 to RFC 9002",
		`{"query":"congestion retransmission backoff","continue_from":49,"limit":100000}`: "2 of 50, RFC 8985 to RFC 9002",
		`{"query":"pigeons"}`: "1 of 1, RFC 1149 to RFC 1149",
	} {
		got := read(search(t, session, arguments))
		require.NotEmpty(t, got.Hits, arguments)
		assert.Equal(t, want, fmt.Sprintf("%d of %d, %s to %s", len(got.Hits), got.Total, got.Hits[0].ID,
			got.Hits[len(got.Hits)-1].ID), arguments)
	}
	out := search(t, session, `{"query":"telepathy"}`)
	assert.Equal(t, result.KindEmpty, out.Kind, "that nothing is found is no failure")
	for arguments, field := range map[string]string{
		`{"query":""}`: "query", `{"query":"?!"}`: "query", `{}`: "query",
		`{"query":"tcp","continue_from":-1}`: "continue_from", `{"query":"pigeons","continue_from":2}`: "continue_from",
		`{"query":"tcp","limit":-1}`: "limit", `{"query":"tcp","continue_from":"next"}`: "continue_from",
	} {
		out := search(t, session, arguments)
		require.Equal(t, result.KindFailure, out.Kind, arguments)
		assert.Equal(t, toolerr.CategoryValidation, out.Err.Category, arguments)
		assert.Equal(t, field, out.Err.Field, arguments)
	}
}

// TestWire compares what subagents, which are processes of their own, send over stdout.
func TestWire(t *testing.T) {
	t.Parallel()
	path, err := os.Executable()
	require.NoError(t, err)
	changing := regexp.MustCompile(`"(correlationId":"|elapsedMs":)\d+`)
	var session *mcp.ClientSession
	wire := new(testutil.Wire)
	for _, test := range []struct{ args, query, want string }{
		// What it cannot recover, with the very question, how often it was asked, and a part.
		{"-agent archive", "backoff congestion", `{"isError":true,"errorCategory":"transient","isRetryable":false,` +
			`"code":"unavailable","message":"The source of archive did not answer. Of 10 hits 5 were found before that.","hint":"Call search_mirror for the rest, and say what is missing all the same.","effect":"none","alternatives":["search_mirror"],"correlationId":"N","attempted":[{"tool":"archive","arguments":{"from":6,"limit":5,"query":"backoff congestion"},"attempts":3,"elapsedMs":N,"errorCategory":"transient","code":"unavailable","effect":"none"}],"partial":{"processed":5,"total":10,"results":{"hits":[{"id":"1977 Ethernet patent",`},
		// The second time there is not even a part. The call has been repeated already, so that
		// a host which reads the flag alone does not do it again.
		{"", "backoff", `{"isError":true,"errorCategory":"transient","isRetryable":false,"code":"unavailable",` +
			`"message":"The source of archive did not answer.","hint":"This was tried already, as attempted says. Use one of the alternatives or a narrower request, or go on and say what is missing.","effect":"none","alternatives":["search_mirror"],"correlationId":"N","attempted":[{"tool":"archive","arguments":{"from":1,"limit":5,"query":"backoff"},"attempts":3,"elapsedMs":N,"errorCategory":"transient","code":"unavailable","effect":"none"}]}`},
		{"-agent rfcs", "congestion retransmission backoff", `{"isError":true,"errorCategory":"transient",` +
			`"isRetryable":false,"code":"rate_limited","message":"The source of rfcs answered with status 429. Of 50 hits 15 were found before that.","hint":"Wait for retryAfterMs, then call again with continue_from 16.","retryAfterMs":200,"effect":"none","correlationId":"N","attempted":[{"tool":"rfcs","arguments":{"from":16,"limit":5,"query":"congestion retransmission backoff"},"attempts":1,"errorCategory":"transient","code":"rate_limited","effect":"none"}],"partial":{"processed":15,"total":50,"continueFrom":16,"results":{"hits":[{"id":"RFC 675",`},
		// With all its attempts a subagent says nothing of what it went through.
		{"-agent papers", "backoff", `{"hits":[{"id":"Metcalfe and Boggs 1976",`},
		{"-agent papers -attempts 1", "backoff", `{"isError":true,"errorCategory":"transient","isRetryable":false,` +
			`"code":"timeout","message":"The source of papers did not answer.","hint":"This was tried already, as attempted says. Use one of the alternatives or a narrower request, or go on and say what is missing.","effect":"none","correlationId":"N","attempted":[{"tool":"papers","arguments":{"from":1,"limit":5,"query":"backoff"},"attempts":1,"errorCategory":"transient","code":"timeout","effect":"none"}]}`},
	} {
		if test.args != "" {
			session = testutil.ConnectTo(t,
				&mcp.CommandTransport{Command: exec.CommandContext(t.Context(), path, strings.Fields(test.args)...)}, wire)
		}
		_, err := session.CallTool(t.Context(),
			&mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": test.query}})
		require.NoError(t, err)
		var reply struct {
			Result struct {
				IsError           bool              `json:"isError"`
				StructuredContent json.RawMessage   `json:"structuredContent"`
				Content           []mcp.TextContent `json:"content"`
			} `json:"result"`
		}
		require.NoError(t, json.Unmarshal(wire.Last(), &reply))
		require.Len(t, reply.Result.Content, 1)
		text := changing.ReplaceAllString(reply.Result.Content[0].Text, `"${1}N`)
		assert.Equal(t, test.want, text[:min(len(test.want), len(text))])
		assert.Equal(t, strings.Contains(text, "errorCategory"), reply.Result.IsError)
		assert.Equal(t, reply.Result.IsError, reply.Result.StructuredContent == nil)
		if !reply.Result.IsError {
			assert.NotRegexp(t, `attempt|timeout"|unavailable|503`, text)
		}
		assert.NotContains(t, text, "127.0.0.1", "where the source is stays in the log")
	}
}

func TestSource_Faults(t *testing.T) {
	t.Parallel()
	const query = `{"query":"congestion retransmission backoff"}`
	for agent, codes := range map[string][]toolerr.Code{ // of the calls, one after the other, each of one attempt
		"papers":  {toolerr.CodeTimeout, toolerr.CodeUnavailable, "", ""},
		"rfcs":    {toolerr.CodeRateLimited, toolerr.CodeRateLimited},
		"archive": {toolerr.CodeUnavailable, toolerr.CodeUnavailable},
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			session := subagentOf(t, agent, troubles[agent])
			for i, want := range codes {
				assert.Equal(t, want, toolerr.CodeOf(search(t, session, query).AsError()), "call %d", i+1)
			}
		})
	}
}
