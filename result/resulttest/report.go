package resulttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
	// Mend states in one sentence how to fix it.
	Mend string `json:"mend"`
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
	_, _ = fmt.Fprintf(&b, "\n    why: %s\n    fix: %s", f.Why, f.Mend)
	return b.String()
}

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

// String returns the findings as text, or "no finding" with the number of calls.
func (r *Report) String() string {
	if len(r.Findings) == 0 {
		return fmt.Sprintf("no finding in %d calls", len(r.Calls))
	}
	parts := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		parts[i] = f.String()
	}
	return strings.Join(parts, "\n\n")
}

// findings groups the violations by tool and kind, in the order of the server's tools.
func (c *checker) findings(endless bool, tools []ToolReport) []Finding {
	list := []Finding{}
	if endless {
		list = append(list, Finding{Kind: KindEndlessList, Detail: "the tool list has no end and was truncated"})
	}
	for _, tool := range c.unannotated {
		list = append(list, noAnnotations(tool))
	}
	for _, tool := range c.missing {
		list = append(list, Finding{Tool: tool, Kind: KindDiffers, Detail: "the other session has no such tool"})
	}
	for _, a := range c.answers {
		for _, v := range a.violations {
			list = c.group(list, a, v)
		}
	}
	for i := range list {
		f := &list[i]
		f.Why, f.Mend = explain(f.Kind)
		f.Area = areaOf(f.Kind)
		f.Calls, f.Evidence = append([]string{}, f.Calls...), append([]int{}, f.Evidence...) // [] instead of null in JSON
	}
	place := func(f Finding) int {
		return slices.IndexFunc(tools, func(t ToolReport) bool { return t.Name == f.Tool })
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(place(a), place(b)) })
	return slices.DeleteFunc(list, func(f Finding) bool { return c.opts.Ignore != nil && c.opts.Ignore(f) })
}

// group adds one violation to the finding of its tool and kind.
func (c *checker) group(list []Finding, a *answer, v violation) []Finding {
	i := slices.IndexFunc(list, func(f Finding) bool { return f.Tool == a.tool && f.Kind == v.kind })
	if i < 0 {
		call := newCall(a, c.opts.Leaks)
		i, list = len(list), append(list, Finding{Tool: a.tool, Kind: v.kind, Detail: v.detail, Arguments: call.Arguments, Answer: call.Answer})
	}
	f := &list[i]
	for _, related := range append([]*answer{a}, v.related...) {
		if !slices.Contains(f.Evidence, related.position) {
			f.Evidence = append(f.Evidence, related.position)
		}
	}
	if !slices.Contains(f.Calls, a.probe.name) {
		f.Calls = append(f.Calls, a.probe.name)
	}
	return list
}
