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

// TestServer is [Check] as a test: it fails with one error for each finding, and
// at once if the check could not be carried out or no tool was called. It logs which
// tools were not. It is called from the test's goroutine, and ends with the
// test's context.
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

// Check calls the tools of a server in every way that it can derive from their
// input schemas and that does no harm, and reports everything that is wrong with
// what comes back. Each tool is called with arguments that fit its schema, and
// with a single thing wrong in them: a missing argument, one of another type,
// outside of an enum, a range, a length or a pattern, one that is unknown, an
// identifier that does not exist. Of every tool, called or not, it looks at the
// annotations.
//
// It calls only tools that are annotated as read-only, unless the options say
// otherwise: not even with arguments that the tool ought to refuse.
//
// Calls are made one after the other, each with a time limit; ctx limits the
// check as a whole. A server cannot make it hang, nor by its answers fail: that an
// error comes back means that there is no session, that the tools could not be
// listed, that the options name a tool which the server does not have or arguments
// that cannot be sent, or that ctx ended. The report is never nil, and then holds
// what was found before. If opts is nil, they are the zero value.
//
// The session is the check's as long as that runs; other checks, on sessions of
// their own, may run at the same time.
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
		err = opts.valid(tools)
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
	open := c.openly()
	for _, a := range c.answers {
		a.checkLeaks(opts.Leaks, open)
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
	unannotated []string // the names of tools
	silent      int      // how many tools were given up, because they gave no answer
	waited      time.Duration
	missing     []string // the tools that the other session lacks
}
