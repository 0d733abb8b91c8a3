package resulttest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestServer runs [Check] and reports one test error for each finding. It ends the test if
// the check is not possible or if no tool was called, and logs the tools that were not
// called. Call it from the test's goroutine. It stops when the test's context ends.
func TestServer(tb testing.TB, session *mcp.ClientSession, opts *Options) {
	tb.Helper()
	report, err := Check(tb.Context(), session, opts)
	for _, f := range report.Findings {
		tb.Errorf("%s", f)
	}
	if err != nil {
		tb.Fatalf("the server could not be checked: %v", err)
	}
	called := 0
	for _, tool := range report.Tools {
		if tool.Calls > 0 {
			called++
		} else {
			tb.Logf("%s was not called: %s", tool.Name, tool.Skipped)
		}
	}
	if called == 0 {
		tb.Fatalf("none of the %d tools was called: annotate tools as read-only, or allow calls with Options.Tools or Options.All", len(report.Tools))
	}
}

// Check calls the tools of a server and reports everything that is wrong with the answers.
// The calls are derived from the input schemas: one with valid arguments, and further ones
// with a single mistake each: a missing argument, a wrong type, a value outside an enum, a
// range, a length or a pattern, an unknown argument, an identifier that does not exist. It
// also checks the annotations of every tool, called or not.
//
// It calls only tools that are annotated as read-only, unless the options allow others. A
// tool that is not allowed is not called with invalid arguments either.
//
// Calls are made one after the other, each with a timeout; ctx limits the whole check. A
// server cannot make the check hang, and no answer makes it return an error. It returns an
// error if there is no session, if the tools cannot be listed, if the options name a tool
// that the server does not have or arguments that cannot be encoded, or if ctx ends. The
// report is never nil; with an error it has the findings up to then. If opts is nil, the
// zero value is used.
//
// Do not use the session for other calls during the check. Checks on different sessions may
// run in parallel.
func Check(ctx context.Context, session *mcp.ClientSession, opts *Options) (*Report, error) {
	if opts == nil {
		opts = new(Options)
	}
	report := &Report{Findings: []Finding{}, Tools: []ToolReport{}, Calls: []Call{}, Scores: []Score{}}
	if session == nil {
		return report, errors.New("there is no session")
	}
	c := &checker{outputs: map[string]schema{}, opts: opts, caller: caller{session: session, connect: opts.Connect, timeout: cmp.Or(opts.Timeout, 15*time.Second)}}
	defer c.drop()
	tools, endless, err := c.list(ctx)
	if err == nil {
		err = opts.validate(tools)
	}
	if err != nil {
		return report, err
	}
	c.tools = tools
	for _, tool := range tools {
		c.outputs[tool.Name] = schemaOf(tool.OutputSchema)
	}
	for i, tool := range tools {
		if ctx.Err() != nil {
			break
		}
		if opts.Progress != nil {
			opts.Progress(tool.Name, i, len(tools))
		}
		if !isAnnotated(tool) {
			c.unannotated = append(c.unannotated, tool.Name)
		}
		t := &turn{checker: c, tool: tool}
		report.Tools = append(report.Tools, t.take(ctx))
	}
	err = c.compareSessions(ctx)
	compareSpellings(c.answers)
	public := c.publicText()
	for _, a := range c.answers {
		a.checkLeaks(opts.Leaks, public)
	}
	report.Scores = c.scores()
	for _, a := range c.answers {
		report.Calls = append(report.Calls, newCall(a, opts.Leaks))
		if i := slices.IndexFunc(report.Tools, func(t ToolReport) bool { return t.Name == a.tool }); i >= 0 {
			report.Tools[i].Calls++
		}
	}
	report.Findings = c.findings(endless, report.Tools)
	return report, cmp.Or(ctx.Err(), err)
}

// A checker is the state of one check.
type checker struct {
	caller
	opts        *Options
	tools       []*mcp.Tool
	outputs     map[string]schema // of the tools
	answers     []*answer
	unannotated []string // names of tools
	silent      int      // tools that were abandoned because they did not answer
	waited      time.Duration
	missing     []string // tools that the other session does not have
}
