package resulttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
		tb.Fatalf("none of the %d tools was called, so that nothing was checked: annotate tools as read-only, or allow them by Options.Tools or Options.All", len(report.Tools))
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
	c := &checker{caller: caller{session: session, connect: opts.Connect, timeout: cmp.Or(opts.Timeout, 15*time.Second)}, opts: opts}
	defer c.drop()
	tools, endless, err := c.tools(ctx)
	if err == nil {
		err = opts.valid(tools)
	}
	if err != nil {
		return report, err
	}
	for i, tool := range tools {
		if ctx.Err() != nil {
			break
		}
		if opts.Progress != nil {
			opts.Progress(tool.Name, i, len(tools))
		}
		report.Tools = append(report.Tools, c.tool(ctx, tool))
	}
	compareSpellings(c.answers)
	report.Scores = c.scores()
	for _, a := range c.answers {
		report.Calls = append(report.Calls, newCall(a, opts.Leaks))
	}
	report.Findings = c.findings(endless, report.Tools)
	return report, ctx.Err()
}

// A checker is the state of one check.
type checker struct {
	caller
	opts        *Options
	answers     []*answer
	unannotated []string // the names of tools
	silent      int      // how many tools were given up, because they gave no answer
}

const (
	// maxLate is how many calls of a tool may go without an answer in time. Chosen:
	// each costs Options.Timeout.
	maxLate = 2
	// maxDeaths is how many calls of a tool may end the server. Chosen: each needs a
	// new session, and one more than maxLate, since it costs less.
	maxDeaths = 3
	// maxSilent is how many tools may have used up maxLate. Chosen: at 15 s a call,
	// the check of a server that hangs is over in under three minutes.
	maxSilent = 5
)

// tool looks at the annotations of one tool, and makes all its calls.
func (c *checker) tool(ctx context.Context, tool *mcp.Tool) ToolReport {
	if !isAnnotated(tool) {
		c.unannotated = append(c.unannotated, tool.Name)
	}
	list, skipped := c.opts.probes(tool)
	report := ToolReport{Name: tool.Name, Skipped: skipped, Tool: tool}
	output := schemaOf(tool.OutputSchema)
	late, deaths, works := 0, 0, false
	for i, p := range list {
		a, stopped := c.try(ctx, tool.Name, p)
		if stopped != "" {
			report.Skipped = stopped
			break
		}
		report.Calls++
		a.check(output, c.timeout, c.opts.Leaks)
		c.answers = append(c.answers, a)
		works = works || i == 0 && !a.isInternal()
		if p.wrong && works && a.isInternal() {
			a.addMasked()
		}
		if a.late {
			late++
		}
		if a.died {
			deaths++
		}
		if a.late && late == maxLate {
			c.silent++
		}
		if rest := len(list) - 1 - i; rest > 0 && (late == maxLate || deaths == maxDeaths) {
			report.Skipped = fmt.Sprintf("%d more calls were left out, because it answered too few", rest)
			break
		}
	}
	return report
}

// try makes one call, or says why that and all further ones are not made.
func (c *checker) try(ctx context.Context, tool string, p probe) (a *answer, stopped string) {
	if c.silent == maxSilent {
		return nil, "too many other tools gave no answer"
	}
	if err := c.ready(ctx); err != nil {
		return nil, err.Error()
	}
	if a = c.call(ctx, tool, p); ctx.Err() != nil {
		return nil, "the check was ended"
	}
	return a, ""
}
