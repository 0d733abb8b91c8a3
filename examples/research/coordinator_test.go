package main

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// archiveWith returns a coordinator of one subagent whose tools answer a query like
// this.
func archiveWith(t *testing.T, tools map[string]func(query string) (found, error)) (*coordinator, *agent) {
	t.Helper()
	start := func(_ context.Context, _ string, stderr io.Writer) (mcp.Transport, error) {
		server := mcp.NewServer(&mcp.Implementation{Name: "archive", Version: "v0"}, nil)
		for name, answer := range tools {
			result.AddTool(server, &mcp.Tool{Name: name},
				func(_ context.Context, _ *mcp.CallToolRequest, in mirrorIn) (*mcp.CallToolResult, found, error) {
					defer func() { _, _ = io.WriteString(stderr, `{"msg":"`+logAnswered+`"}`+"\n") }()
					out, err := answer(in.Query)
					if err != nil {
						return result.Failure(err), found{}, nil
					}
					return nil, out, nil
				})
		}
		serverSide, clientSide := mcp.NewInMemoryTransports()
		_, err := server.Connect(t.Context(), serverSide, nil)
		return clientSide, err
	}
	a := newAgent("archive", start, newTranscript(harness.Output{}, harness.Pen{}), io.Discard)
	c := &coordinator{query: "b c", agents: []*agent{a}}
	t.Cleanup(c.close)
	return c, a
}

// partOf returns a permanent failure with the first entries as its partial result.
func partOf(t *testing.T, total int, ids ...string) *toolerr.Error {
	t.Helper()
	raw, err := json.Marshal(found{Hits: entriesOf(ids...), Total: total})
	require.NoError(t, err)
	return toolerr.Transient("Gone.").WithCode(toolerr.CodeUnavailable).
		WithPartial(&toolerr.Partial{Processed: len(ids), Total: total, Results: raw})
}

func entriesOf(ids ...string) []entry {
	var all []entry
	for _, id := range ids {
		all = append(all, entry{ID: id})
	}
	return all
}

func TestCoordinator_NextSteps(t *testing.T) {
	t.Parallel()
	type answers = map[string]func(query string) (found, error)
	fails := func(e *toolerr.Error) func(string) (found, error) {
		return func(string) (found, error) { return found{}, e }
	}
	finds := func(ids ...string) func(string) (found, error) {
		return func(string) (found, error) { return found{Hits: entriesOf(ids...), Total: len(ids)}, nil }
	}
	down := toolerr.Transient("Gone.").WithCode(toolerr.CodeUnavailable).WithRetryable(false)
	oneWord := func(query string) (found, error) {
		if query == "b c" {
			return found{}, toolerr.Validation("One word.").WithField("query").WithSuggestions("b", "c")
		}
		return found{Hits: entriesOf("a", query), Total: 2}, nil
	}
	for name, test := range map[string]struct {
		tools answers
		calls []string // after the search
		hits  []string
		says  string
	}{
		"nothing to be done": {
			answers{"search": fails(down)},
			nil, nil,
			"Nothing from archive is included, because it was not available.",
		},
		"an alternative that nobody has": {
			answers{"search": fails(down.WithAlternatives("ask a librarian"))},
			nil, nil,
			"Nothing from archive is included, because it was not available.",
		},
		"an alternative that is down too": {
			answers{"search": fails(down.WithAlternatives("other")), "other": fails(down)},
			[]string{"other b c"},
			nil,
			"Nothing from archive is included, because it was not available.",
		},
		"an alternative instead of the source": {
			answers{"search": fails(down.WithAlternatives("other")), "other": finds("x", "y")},
			[]string{"other b c"},
			[]string{"x", "y"},
			"Only the first 2 results from archive are included, because it was not available.",
		},
		"an alternative that has the rest": {
			answers{"search": fails(partOf(t, 3, "x", "y").WithAlternatives("other")), "other": finds("y", "z")},
			[]string{"other b c"},
			[]string{"x", "y", "z"},
			"All sources have answered.",
		},
		"an alternative that wants less": {
			answers{"search": fails(partOf(t, 9, "a").WithAlternatives("other")), "other": oneWord},
			[]string{"other b c", "other b", "other c"},
			[]string{"a", "b", "c"},
			"Only 3 of 9 results from archive are included, because it was not available.",
		},
		"a narrower query": {
			answers{"search": oneWord},
			[]string{"search b", "search c"},
			[]string{"a", "b", "c"},
			"Only the first 3 results from archive are included, because it did not understand the request.",
		},
		"a failure of another argument": {
			answers{"search": fails(toolerr.Validation("No.").WithField("limit").WithSuggestions("5"))},
			nil, nil,
			"Nothing from archive is included, because it did not understand the request.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, a := archiveWith(t, test.tools)
			c.searchAll(t.Context())
			c.fillGaps(t.Context())
			var calls []string
			for _, call := range a.calls[1:] {
				arguments, ok := call.args.(map[string]any)
				require.True(t, ok)
				query, ok := arguments["query"].(string)
				require.True(t, ok)
				calls = append(calls, call.tool+" "+query)
			}
			assert.Equal(t, test.calls, calls)
			assert.ElementsMatch(t, test.hits, ids(read(a.out).Hits))
			assert.Equal(t, test.says, c.coverage().String())
			assert.Contains(t, writeReport(c, c.coverage()), "\n"+test.says+"\n")
		})
	}
}
