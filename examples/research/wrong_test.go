package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

// A subagent that does not retry passes failures to the coordinator that a retry
// would have resolved.
func TestStudy_WithoutRetries(t *testing.T) {
	t.Parallel()
	for _, attempts := range []string{"1", "2"} {
		t.Run(attempts, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			assert.Equal(t, 1, run(t.Context(), []string{"-attempts", attempts, "-log", "-"}, &stdout, &stderr))
			assert.Contains(t, stderr.String(), "\nresearch: papers: its source failed "+attempts+" of "+attempts+" requests, want 2 of 5; ")
			assert.Contains(t, stdout.String(), "WRONG")
			assert.Contains(t, stdout.String(), "\nNothing from papers is included, because it ", "even so the report says what is missing")
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

// A liar is a subagent whose search answers like this.
type liar func(in searchIn) (*mcp.CallToolResult, found, error)

// instead returns a starter that starts the liar instead of one subagent.
func instead(t *testing.T, name string, lie liar) starter {
	t.Helper()
	process := startProcess(defaultAttempts)
	return func(ctx context.Context, other string, stderr io.Writer) (mcp.Transport, error) {
		if other != name {
			return process(ctx, other, stderr)
		}
		server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(nil))
		result.AddTool(server, &mcp.Tool{Name: "search"},
			func(_ context.Context, _ *mcp.CallToolRequest, in searchIn) (*mcp.CallToolResult, found, error) {
				defer func() { _, _ = io.WriteString(stderr, `{"msg":"`+logAnswered+`"}`+"\n") }()
				return lie(in)
			})
		serverSide, clientSide := mcp.NewInMemoryTransports()
		session, err := server.Connect(t.Context(), serverSide, nil)
		if err == nil {
			t.Cleanup(func() { _ = session.Close() })
		}
		return clientSide, err
	}
}

func TestStudy_LyingSubagents(t *testing.T) {
	t.Parallel()
	hits := func(t *testing.T, name string) []entry {
		t.Helper()
		all, err := load(name)
		require.NoError(t, err)
		return matching(all, "congestion retransmission backoff")
	}
	var all sync.WaitGroup // at the same time, since they wait most of it
	for name, test := range map[string]struct {
		agent string
		lie   func(t *testing.T) liar
		want  string
	}{
		"a failure that passes for nothing found": {"archive", func(*testing.T) liar {
			return func(searchIn) (*mcp.CallToolResult, found, error) {
				return result.Empty("Nothing was found.", nil), found{}, nil
			}
		}, "archive: it ended with empty, accept, 1 calls, want partial, propagate, 5 calls"},
		"a part that passes for the whole": {"archive", func(t *testing.T) liar {
			t.Helper()
			part := hits(t, "archive")[:5]
			return func(searchIn) (*mcp.CallToolResult, found, error) {
				return nil, found{Hits: part, Total: len(part)}, nil
			}
		}, `the gaps are [], want ["archive 8 of 14, go_on"]`},
		"an entry that is missing": {"rfcs", func(t *testing.T) liar {
			t.Helper()
			all := hits(t, "rfcs")
			return func(searchIn) (*mcp.CallToolResult, found, error) {
				return nil, found{Hits: all[1:], Total: len(all)}, nil
			}
		}, "there are 49 entries, want 50, each once"},
		"an entry that is there twice": {"rfcs", func(t *testing.T) liar {
			t.Helper()
			all := hits(t, "rfcs")
			all[1] = all[0]
			return func(searchIn) (*mcp.CallToolResult, found, error) {
				return nil, found{Hits: all, Total: len(all)}, nil
			}
		}, "there are 50 entries, want 50, each once"},
		"a recovery that never was needed": {"papers", func(t *testing.T) liar {
			t.Helper()
			all := hits(t, "papers")
			return func(searchIn) (*mcp.CallToolResult, found, error) {
				return nil, found{Hits: all, Total: len(all)}, nil
			}
		}, "papers: its source failed 0 of 0 requests, want 2 of 5"},
	} {
		s := newStudy(options{attempts: defaultAttempts, output: harnesstest.Output(t)}, io.Discard, io.Discard)
		s.start = instead(t, test.agent, test.lie(t))
		all.Go(func() { assert.ErrorContains(t, s.run(t.Context()), test.want, name) })
	}
	all.Wait()
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
	assert.Contains(t, stdout.String(), "\nNothing from papers is included, because it failed.")
	assert.NotContains(t, stdout.String(), "no such program", "a cause is not for the model")
}
