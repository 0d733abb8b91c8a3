package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// subagentOf returns a session with a subagent, in this process, whose source has
// this trouble.
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

func callWith(t *testing.T, session *mcp.ClientSession, tool, arguments string) result.Outcome {
	t.Helper()
	return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}))
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
		got := read(callWith(t, session, "search", arguments))
		require.NotEmpty(t, got.Hits, arguments)
		assert.Equal(t, want, fmt.Sprintf("%d of %d, %s to %s", len(got.Hits), got.Total, got.Hits[0].ID, got.Hits[len(got.Hits)-1].ID), arguments)
	}
	out := callWith(t, session, "search", `{"query":"telepathy"}`)
	assert.Equal(t, result.KindEmpty, out.Kind, "that nothing is found is no failure")
	for arguments, field := range map[string]string{
		`{"query":""}`:                           "query",
		`{"query":"?!"}`:                         "query",
		`{}`:                                     "query",
		`{"query":"tcp","continue_from":-1}`:     "continue_from",
		`{"query":"pigeons","continue_from":2}`:  "continue_from",
		`{"query":"tcp","limit":-1}`:             "limit",
		`{"query":"tcp","continue_from":"next"}`: "continue_from",
	} {
		out := callWith(t, session, "search", arguments)
		require.Equal(t, result.KindFailure, out.Kind, arguments)
		assert.Equal(t, toolerr.CategoryValidation, out.Err.Category, arguments)
		assert.Equal(t, field, out.Err.Field, arguments)
	}
}

func TestSubagent_Mirror(t *testing.T) {
	t.Parallel()
	session := subagentOf(t, "archive", nil)
	out := callWith(t, session, "search_mirror", `{"query":"backoff"}`)
	assert.Equal(t, []string{"1977 Ethernet patent", "1980 Blue Book", "1983 IEEE 802.3"}, ids(read(out).Hits))
	assert.Equal(t, result.KindEmpty, callWith(t, session, "search_mirror", `{"query":"jitter"}`).Kind, "it is of 2015")
	out = callWith(t, session, "search_mirror", `{"query":"backoff jitter"}`)
	assert.Equal(t, []string{"backoff", "jitter"}, out.Err.Suggestions)
	assert.Equal(t, "query", callWith(t, session, "search_mirror", `{"query":" "}`).Err.Field)
	out = callWith(t, subagentOf(t, "papers", nil), "search_mirror", `{"query":"backoff"}`)
	assert.Equal(t, toolerr.CodeNotFound, out.Err.Code, "the others have none")
}

func TestSource_Faults(t *testing.T) {
	t.Parallel()
	const query = `{"query":"congestion retransmission backoff"}`
	for name, test := range map[string]struct {
		agent string
		codes []toolerr.Code // of the calls, one after the other, each of one attempt
	}{
		"slow start":  {"papers", []toolerr.Code{toolerr.CodeTimeout, toolerr.CodeUnavailable, "", ""}},
		"three pages": {"rfcs", []toolerr.Code{toolerr.CodeRateLimited, toolerr.CodeRateLimited}},
		"last page":   {"archive", []toolerr.Code{toolerr.CodeUnavailable, toolerr.CodeUnavailable}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := subagentOf(t, test.agent, troubles[test.agent])
			for i, want := range test.codes {
				assert.Equal(t, want, toolerr.CodeOf(callWith(t, session, "search", query).AsError()), "call %d", i+1)
			}
		})
	}
}
