package resulttest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// TestServer is [Check] as a test: it fails with one error for each finding, and
// at once where the check could not be carried out or no tool was called. It logs
// which tools were not. It is called from the test's goroutine, and ends with the
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
// identifier that does not exist.
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
	report := &Report{Findings: []Finding{}, Tools: []ToolReport{}, Scores: []Score{}}
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
	compareShapes(c.answers)
	report.Scores = scores(c.answers)
	report.Findings = findings(c.answers, endless, opts.Ignore)
	return report, ctx.Err()
}

// A checker is the state of one check.
type checker struct {
	caller
	opts    *Options
	answers []*answer
	silent  int // how many tools were given up, because they gave no answer
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

// tool makes all the calls of one tool.
func (c *checker) tool(ctx context.Context, tool *mcp.Tool) ToolReport {
	report := ToolReport{Name: tool.Name}
	var list []probe
	var base any
	for _, own := range c.opts.Cases {
		if own.Tool != tool.Name {
			continue
		}
		name := own.Name
		if name == "" {
			name = "a case of the author's"
		}
		list = append(list, probe{name: name, arguments: own.Arguments, expected: &own})
		if base == nil && (own.Kind == result.KindData || own.Kind == result.KindEmpty) {
			base = plain(own.Arguments)
		}
	}
	if report.Skipped = c.opts.forbids(tool); report.Skipped == "" {
		list = append(list, probes(schemaOf(tool.InputSchema), base)...)
	}
	output := schemaOf(tool.OutputSchema)
	late, deaths := 0, 0
	for i, p := range list {
		if c.silent == maxSilent {
			report.Skipped = "too many other tools gave no answer"
			break
		}
		if err := c.ready(ctx); err != nil {
			report.Skipped = err.Error()
			break
		}
		a := c.call(ctx, tool.Name, p)
		if ctx.Err() != nil {
			report.Skipped = "the check was ended"
			break
		}
		report.Calls++
		a.judge(output, c.timeout, c.opts.Leaks)
		c.answers = append(c.answers, a)
		if a.late {
			if late++; late == maxLate {
				c.silent++
			}
		}
		if a.died {
			deaths++
		}
		if rest := len(list) - 1 - i; rest > 0 && (late == maxLate || deaths == maxDeaths) {
			report.Skipped = fmt.Sprintf("%d more calls were left out, because it answered too few", rest)
			break
		}
	}
	return report
}

// forbids says why a tool may not be called, or nothing.
func (o *Options) forbids(tool *mcp.Tool) string {
	switch {
	case slices.Contains(o.Skip, tool.Name):
		return "left out by the options"
	case o.All, slices.Contains(o.Tools, tool.Name), tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return ""
	}
	return "not annotated as read-only"
}

// valid returns an error for a tool that the options name and the server does not
// have, since most often it is misspelt, and would be left out unnoticed; and for
// arguments of a case that cannot be sent.
func (o *Options) valid(tools []*mcp.Tool) error {
	named := slices.Concat(o.Tools, o.Skip)
	for _, own := range o.Cases {
		named = append(named, own.Tool)
		if _, err := json.Marshal(own.Arguments); err != nil {
			return fmt.Errorf("the arguments of a case of %q: %w", own.Tool, err)
		}
	}
	for _, name := range named {
		if !slices.ContainsFunc(tools, func(t *mcp.Tool) bool { return t.Name == name }) {
			return fmt.Errorf("the server has no tool %q", name)
		}
	}
	return nil
}

// findings groups what is wrong by tool and kind.
func findings(answers []*answer, endless bool, ignore func(Finding) bool) []Finding {
	list := []Finding{}
	if endless {
		list = append(list, Finding{Kind: KindEndlessList, Detail: "the list of tools has no end, and was cut", Calls: []string{}})
	}
	places := map[[2]string]int{}
	for _, a := range answers {
		for _, w := range a.wrong {
			key := [2]string{a.tool, string(w.kind)}
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = append(list, Finding{Tool: a.tool, Kind: w.kind, Detail: w.detail, Arguments: clip(jsonOf(a.probe.arguments), 300), Answer: a.text()})
			}
			if calls := list[at].Calls; !slices.Contains(calls, a.probe.name) {
				list[at].Calls = append(calls, a.probe.name)
			}
		}
	}
	for i, f := range list {
		list[i].Why, list[i].Mend, _ = explain(f.Kind)
	}
	return slices.DeleteFunc(list, func(f Finding) bool { return ignore != nil && ignore(f) })
}
