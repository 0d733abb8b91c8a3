package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// An agent is a subagent as the coordinator sees it: an MCP server with tools.
type agent struct {
	name    string
	client  *retry.Client
	journal *journal
	print   *transcript

	tools    []string // that its server has
	calls    []call   // that it received, in order
	searched result.Outcome
	last     retry.Decision // about the search
	out      result.Outcome // searched, with what was found elsewhere
}

// A call is one tool call by the coordinator.
type call struct {
	tool     string
	args     any
	out      result.Outcome
	decision retry.Decision
	// What the coordinator does not see: how many requests went to the source, and how many failed.
	asked, failed int
}

// A starter returns the transport to a new subagent, which writes its log to stderr.
type starter func(ctx context.Context, name string, stderr io.Writer) (mcp.Transport, error)

// startProcess returns a starter that runs this program as a subagent, in a child process.
func startProcess(attempts int) starter {
	return func(ctx context.Context, name string, stderr io.Writer) (mcp.Transport, error) {
		command, err := harness.Self(ctx, stderr, "-agent", name, "-attempts", strconv.Itoa(attempts))
		return &mcp.CommandTransport{Command: command}, err
	}
}

// newAgent returns a subagent that the first call starts.
func newAgent(name string, start starter, print *transcript, stderr io.Writer) *agent {
	a := &agent{name: name, print: print, journal: newJournal(stderr)}
	a.client = &retry.Client{
		Connect: func(ctx context.Context) (retry.ClientSession, error) {
			transport, err := start(ctx, name, a.journal)
			if err != nil {
				return nil, err
			}
			session, err := harness.Connect(ctx, "coordinator", transport)
			if err != nil {
				return nil, err
			}
			return session, a.listTools(ctx, session)
		},
		Policy: retry.Policy{
			AttemptTimeout: 5 * time.Second,
			Logger:         slog.New(slog.DiscardHandler), // the transcript shows the decisions about calls
		},
		Safety: retry.SafetyOf, // its own child process is trusted
	}
	return a
}

func (a *agent) listTools(ctx context.Context, session *mcp.ClientSession) error {
	a.tools = nil
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return errors.Join(err, session.Close())
		}
		a.tools = append(a.tools, tool.Name)
	}
	return nil
}

// call makes a call, with the retries that its failures allow, and writes it to the transcript.
func (a *agent) call(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
	a.print.Call(params.Name, params.Arguments)
	out, d := a.client.CallTool(ctx, params)
	c := call{tool: params.Name, args: params.Arguments, out: out, decision: d}
	if out.Result != nil { // it has answered, and logged that
		for _, r := range a.journal.take(d.Attempt) {
			a.print.Line("inside", r.String())
			switch {
			case r.Message == logPage:
				c.asked++
			case r.Decided.Code != "":
				c.asked++
				c.failed++
			}
		}
	}
	a.print.Decided(out, d)
	a.calls = append(a.calls, c)
	return out, d
}

// search searches the agent's source, and continues the search after partial results.
func (a *agent) search(ctx context.Context, query string) {
	a.searched, a.last = retry.Resume(ctx, a.call,
		&mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": query}}, "continue_from")
	a.out = a.searched
}

func (a *agent) has(tool string) bool { return slices.Contains(a.tools, tool) }
