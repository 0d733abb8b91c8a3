package servertest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A Report is the result of [Check].
type Report struct {
	// Findings are in the order of the server's tools. It is empty if no call showed a
	// defect.
	Findings []Finding `json:"findings"`
	// Tools has all tools of the server.
	Tools []ToolReport `json:"tools"`
	// Calls has all calls in order.
	Calls []Call `json:"calls"`
	// Scores has one score for each area.
	Scores []Score `json:"scores"`
}

// A Finding is one defect of one tool, shown by one or more calls.
type Finding struct {
	// Tool is the tool's name, or empty for a finding about the server.
	Tool string `json:"tool"`
	// Kind is what is wrong.
	Kind Kind `json:"kind"`
	// Area is the first area in whose score the finding counts.
	Area Area `json:"area"`
	// Detail describes the defect in the first call.
	Detail string `json:"detail"`
	// Why states in one sentence why it matters.
	Why string `json:"why"`
	// Fix states in one sentence how to fix it.
	Fix string `json:"fix"`
	// Calls describes the calls that show it.
	Calls []string `json:"calls"`
	// Evidence has the indexes of these calls in [Report.Calls], and of the calls that they
	// were compared with. Arguments and Answer are from the first.
	Evidence []int `json:"evidence"`
	// Arguments are the arguments of the first call as JSON, at most 300 characters.
	Arguments string `json:"arguments"`
	// Answer is the answer to the first call, at most 300 characters, with secrets masked.
	Answer string `json:"answer"`
}

// String returns the finding as a few lines of text.
func (f Finding) String() string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%s: %s: %s", cmp.Or(f.Tool, "the server"), f.Kind, f.Detail)
	if len(f.Calls) > 0 {
		_, _ = fmt.Fprintf(&b, "\n    call: %s", f.Calls[0])
		if more := len(f.Calls) - 1; more > 0 {
			_, _ = fmt.Fprintf(&b, " (and %d more)", more)
		}
		_, _ = fmt.Fprintf(&b, "\n    arguments: %s\n    answer: %s", f.Arguments, f.Answer)
	}
	_, _ = fmt.Fprintf(&b, "\n    why: %s\n    fix: %s", f.Why, f.Fix)
	return b.String()
}

// A ToolReport states which calls of a tool were made.
type ToolReport struct {
	// Name is the tool's name.
	Name string `json:"name"`
	// Calls is the number of calls of the tool.
	Calls int `json:"calls"`
	// Skipped states why some or all calls were not made. It is empty if all were.
	Skipped string `json:"skipped,omitempty"`
	// Tool is the tool as the server lists it.
	Tool *mcp.Tool `json:"-"`
}

// A Call is one call that [Check] made. Its texts are truncated, and secrets in them are
// masked.
type Call struct {
	// Tool is the tool that was called.
	Tool string `json:"tool"`
	// Probe describes the call, such as "without path".
	Probe string `json:"probe"`
	// Other means that the call was made on the session of [Options.Other].
	Other bool `json:"other,omitempty"`
	// Arguments are the call's arguments as JSON, at most 300 characters.
	Arguments string `json:"arguments"`
	// Kind is the kind of the answer, as read by [result.Parse].
	Kind result.Kind `json:"kind"`
	// Answer is the server's text, at most 300 characters, or "(none)" without an answer.
	Answer string `json:"answer"`
	// Seen is the text that an agent sees, at most 1,000 characters: [result.Outcome.Text].
	Seen string `json:"seen"`
	// ElapsedMs is the duration of the call in milliseconds, rounded up.
	ElapsedMs int64 `json:"elapsedMs"`
	// Outcome is the outcome for programs. Its secrets are not masked, and its Result has
	// only IsError, because the content may be large.
	Outcome result.Outcome `json:"-"`
}

// describe describes an answer.
func (c *checker) describe(a *answer) Call {
	shown := func(text string, most int) string { return clip(withoutSecrets(text, c.opts.Leaks), most) }
	call := Call{
		Tool: a.tool, Probe: a.probe.name, Other: a.other, Kind: a.out.Kind,
		Arguments: shown(jsonOf(a.probe.arguments), 300),
		Answer:    shown(a.text(), 300),
		Seen:      shown(a.out.Text(), 1000),
		ElapsedMs: int64((a.elapsed + time.Millisecond - 1) / time.Millisecond),
		Outcome:   a.out,
	}
	if a.out.Result != nil { // programs check whether there is one
		call.Outcome.Result = &mcp.CallToolResult{IsError: a.out.Result.IsError}
	}
	return call
}

// findings groups the violations by tool and kind, in the order of the server's tools.
func (c *checker) findings(calls []Call) []Finding {
	list := append([]Finding{}, c.general...)
	for _, a := range c.answers {
		for _, v := range a.violations {
			i := slices.IndexFunc(list, func(f Finding) bool { return f.Tool == a.tool && f.Kind == v.kind })
			if i < 0 {
				i = len(list)
				list = append(list, Finding{Tool: a.tool, Kind: v.kind, Detail: v.detail, Arguments: calls[a.position].Arguments, Answer: calls[a.position].Answer})
			}
			f := &list[i]
			for _, shows := range append([]*answer{a}, v.related...) {
				if !slices.Contains(f.Evidence, shows.position) {
					f.Evidence = append(f.Evidence, shows.position)
				}
			}
			if !slices.Contains(f.Calls, a.probe.name) {
				f.Calls = append(f.Calls, a.probe.name)
			}
		}
	}
	for i := range list {
		f := &list[i]
		e := explanations()[f.Kind]
		f.Why, f.Fix, f.Area = e.why, e.fix, Area(e.areas[0])
		f.Calls, f.Evidence = append([]string{}, f.Calls...), append([]int{}, f.Evidence...) // [] instead of null in JSON
	}
	place := func(f Finding) int { return slices.IndexFunc(c.tools, func(t *tool) bool { return t.Name == f.Tool }) }
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(place(a), place(b)) })
	return slices.DeleteFunc(list, c.opts.ignores)
}
