package servertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Check calls the tools of a server and reports what is wrong with the answers. It makes the calls
// of [Options.Cases] and then, tool by tool, those derived from the input schemas: one with valid
// arguments, others with a single mistake each, and repeats that test the tool's statements. It
// also checks the annotations of every tool, called or not.
//
// A server cannot make Check hang, unless Options.Timeout is negative. Check returns an error only
// if there is no session, the tools cannot be listed, the options are invalid (an unknown tool, an
// unknown kind, arguments that are not an object), or ctx ends. The report is never nil; with an
// error, it holds the findings so far. Do not use the session for other calls during the check.
// Checks on different sessions may run in parallel.
func Check(ctx context.Context, session *mcp.ClientSession, opts *Options) (*Report, error) {
	opts = cmp.Or(opts, new(Options))
	report := &Report{Tools: []ToolReport{}, Calls: []Call{}, Failures: map[Tier]int{}}
	report.Findings, report.Notes = []Finding{}, []Finding{}
	if session == nil {
		return report, errors.New("there is no session")
	}
	c := &checker{opts: opts, client: client{
		session: session, connect: opts.Connect, timeout: cmp.Or(opts.Timeout, 15*time.Second),
	}}
	defer c.drop()
	tools, err := c.list(ctx)
	if err == nil {
		err = opts.validate(tools)
	}
	if err != nil {
		return report, err
	}
	c.tools = tools
	c.turns = map[string]*turn{}
	for _, tool := range tools {
		c.turns[tool.Name] = &turn{checker: c, tool: tool}
	}
	for i := range opts.Cases {
		if own := &opts.Cases[i]; ctx.Err() == nil {
			c.turns[own.Tool].run(ctx, own)
		}
	}
	for i, tool := range tools {
		if ctx.Err() != nil {
			break
		}
		if opts.Progress != nil {
			opts.Progress(tool.Name, i, len(tools))
		}
		if !tool.isAnnotated() {
			const detail = "neither annotations nor an idempotency_key state whether a repeat is safe"
			c.general = append(c.general, c.finding(tool.Name, KindNoAnnotations, nil, detail))
		}
		if about, _ := tool.input.Properties()[tool.key].(map[string]any); mintsKeys().
			MatchString(fmt.Sprint(about["description"])) {
			detail := "the description of " + tool.key + " asks for a new key in each call"
			c.general = append(c.general, c.finding(tool.Name, KindNewKeys, nil, detail))
		}
		report.Tools = append(report.Tools, c.turns[tool.Name].take(ctx))
	}
	c.checkLeaks()
	c.checkSame()
	c.count(report)
	c.setTier(report)
	for _, a := range c.answers {
		report.Calls = append(report.Calls, c.describe(a))
	}
	report.Findings, report.Notes = c.findings(c.general, c.answers), c.findings(c.notes, nil)
	return report, ctx.Err()
}

// count counts calls and tools, and notes tools that were not called or never succeeded. Of a tool that only cases
// may call, nothing is noted.
func (c *checker) count(report *Report) {
	made, worked := map[string]int{}, map[string]bool{}
	for _, a := range c.answers {
		made[a.tool]++
		worked[a.tool] = worked[a.tool] || a.succeeded()
		if a.probe.forbidden {
			c.forbidden++
		}
		if a.has(KindAccepted) {
			c.accepted++
		}
	}
	for i := range report.Tools {
		t := &report.Tools[i]
		if t.Calls = made[t.Name]; t.Calls > 0 {
			report.Called++
		}
		switch {
		case t.Calls > 0 && c.opts.forbids(c.tools[i]) != "":
		case t.Skipped != "":
			c.missing++
			c.notes = append(c.notes, c.finding(t.Name, KindNotCalled, nil, t.Skipped))
		case !worked[t.Name]:
			detail := fmt.Sprintf("none of %d calls succeeded", t.Calls)
			c.notes = append(c.notes, c.finding(t.Name, KindNoSuccess, c.turns[t.Name].valid(), detail))
		}
	}
}

// mintsKeys matches descriptions of a key that make a model send a new one with each attempt.
var mintsKeys = lazy(`(?i)\b(?:new|fresh|unique|random|different)\b[^.]{0,40}\b(?:each|every|per|any) (?:call|` +
	`request|attempt|time|retry|invocation)`)

// A checker is the state of one check.
type checker struct {
	client

	opts    *Options
	tools   []*tool
	answers []*answer
	turns   map[string]*turn // by the tool's name
	general []Finding        // that no call shows
	notes   []Finding
	missing int // tools that were not called, or not with all calls

	forbidden, accepted int // calls that the schemas forbid, and those of them that succeeded
	silent              int // tools that were abandoned because they were silent or too slow
}
