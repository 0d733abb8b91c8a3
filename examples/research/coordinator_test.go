package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An answers is what the tools of a subagent return, by query.
type answers map[string]func(query string) (found, error)

// instead returns a starter of a server that answers like this, in place of one subagent.
func instead(t *testing.T, name string, tools answers) starter {
	t.Helper()
	process := startProcess(defaultAttempts)
	return func(ctx context.Context, other string, stderr io.Writer) (mcp.Transport, error) {
		if other != name {
			return process(ctx, other, stderr)
		}
		server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
		readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
		for tool, answer := range tools {
			result.AddTool(server, &mcp.Tool{Name: tool, Annotations: readOnly},
				func(_ context.Context, _ *mcp.CallToolRequest, in mirrorIn) (*mcp.CallToolResult, found, error) {
					defer func() { _, _ = io.WriteString(stderr, `{"msg":"`+logAnswered+`"}`+"\n") }()
					out, err := answer(in.Query)
					if err == nil && len(out.Hits) == 0 {
						return result.Empty("Nothing was found.", nil), found{}, nil
					}
					return nil, out, err
				})
		}
		serverSide, clientSide := mcp.NewInMemoryTransports()
		session, err := server.Connect(t.Context(), serverSide, nil)
		if err == nil {
			t.Cleanup(func() { _ = session.Close() })
		}
		return clientSide, err
	}
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
	fails := func(e *toolerr.Error) func(string) (found, error) {
		return func(string) (found, error) { return found{}, e }
	}
	finds := func(ids ...string) func(string) (found, error) {
		return func(string) (found, error) { return found{Hits: entriesOf(ids...), Total: len(ids)}, nil }
	}
	const unavailable = "Nothing from archive is included, because it was not available."
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
		"nothing to be done":   {answers{"search": fails(down)}, nil, nil, unavailable},
		"nobody's alternative": {answers{"search": fails(down.WithAlternatives("ask a librarian"))}, nil, nil, unavailable},
		"an alternative that is down too": {
			answers{"search": fails(down.WithAlternatives("other")), "other": fails(down)},
			[]string{"other b c"},
			nil, unavailable,
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
			a := newAgent("archive", instead(t, "archive", test.tools), newTranscript(harness.Output{}, harness.Pen{}),
				io.Discard)
			c := &coordinator{query: "b c", agents: []*agent{a}}
			defer c.close()
			c.searchAll(t.Context())
			c.fillGaps(t.Context())
			var calls []string
			for _, call := range a.calls[1:] {
				arguments, ok := call.args.(map[string]any)
				require.True(t, ok)
				calls = append(calls, fmt.Sprintf("%s %s", call.tool, arguments["query"]))
			}
			assert.Equal(t, test.calls, calls)
			assert.ElementsMatch(t, test.hits, ids(read(a.out).Hits))
			assert.Equal(t, test.says, c.coverage().String())
			assert.Contains(t, writeReport(c, c.coverage()), "\n"+test.says+"\n")
		})
	}
}

// A subagent that does not retry passes failures to the coordinator that a retry
// would have resolved.
func TestStudy_WithoutRetries(t *testing.T) {
	t.Parallel()
	for _, attempts := range []string{"1", "2"} {
		t.Run(attempts, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			assert.Equal(t, 1, run(t.Context(), []string{"-attempts", attempts, "-log", "-"}, &stdout, &stderr))
			assert.Contains(t, stderr.String(),
				"\nresearch: papers: its source failed "+attempts+" of "+attempts+" requests, want 2 of 5; ")
			assert.Contains(t, stdout.String(), "WRONG")
			assert.Contains(t, stdout.String(), "\nNothing from papers is included, because it ",
				"even so the report says what is missing")
			assert.Contains(t, stdout.String(), gapSentence)
		})
	}
}

func TestStudy_ReportWithoutGap(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	s := newStudy(options{attempts: defaultAttempts, output: harnesstest.Output(t)}, &stdout, io.Discard)
	s.report = func(c *coordinator, coverage handoff.Coverage) string {
		return strings.ReplaceAll(writeReport(c, coverage), gapSentence, "All sources have answered.")
	}
	require.EqualError(t, s.run(t.Context()), "the report does not name the gap of archive")
}

func TestStudy_LyingSubagents(t *testing.T) {
	t.Parallel()
	var studies sync.WaitGroup // at the same time, since they wait most of it
	for name, test := range map[string]struct {
		agent string
		lie   func(all []entry) found
		want  string
	}{
		"a failure that passes for nothing found": {
			"archive", func([]entry) found { return found{} },
			"archive: it ended with empty, accept, 1 calls, want partial, propagate, 5 calls",
		},
		"a part that passes for the whole": {
			"archive", func(all []entry) found { return found{Hits: all[:5], Total: 5} },
			`the gaps are [], want ["archive 8 of 14, go_on"]`,
		},
		"an entry that is missing": {
			"rfcs", func(all []entry) found { return found{Hits: all[1:], Total: len(all)} },
			"there are 49 entries, want 50, each once",
		},
		"an entry that is there twice": {
			"rfcs", func(all []entry) found { return found{Hits: slices.Concat(all[:1], all[:1], all[2:]), Total: len(all)} },
			"there are 50 entries, want 50, each once",
		},
		"a recovery that never was needed": {
			"papers", func(all []entry) found { return found{Hits: all, Total: len(all)} },
			"papers: its source failed 0 of 0 requests, want 2 of 5",
		},
	} {
		all, err := load(test.agent)
		require.NoError(t, err)
		s := newStudy(options{attempts: defaultAttempts, output: harnesstest.Output(t)}, io.Discard, io.Discard)
		lie := test.lie(matching(all, "congestion retransmission backoff"))
		s.start = instead(t, test.agent, answers{"search": func(string) (found, error) { return lie, nil }})
		studies.Go(func() { assert.ErrorContains(t, s.run(t.Context()), test.want, name) })
	}
	studies.Wait()
}

func TestStudy_SubagentDoesNotStart(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	s := newStudy(options{attempts: defaultAttempts, output: harnesstest.Output(t)}, &stdout, io.Discard)
	process := s.start
	s.start = func(ctx context.Context, name string, stderr io.Writer) (mcp.Transport, error) {
		if name == "papers" {
			return nil, errors.New("no such program")
		}
		return process(ctx, name, stderr)
	}
	require.ErrorContains(t, s.run(t.Context()), "papers: ")
	assert.Contains(t, stdout.String(), "\nNothing from papers is included, because it was not available.")
	assert.NotContains(t, stdout.String(), "no such program", "a cause is not for the model")
}
