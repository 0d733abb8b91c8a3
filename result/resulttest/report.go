package resulttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Finding is one thing that is wrong with one tool, however many calls show it.
type Finding struct {
	// Tool is the tool, or empty if it is the server.
	Tool string `json:"tool"`
	// Kind is what is wrong.
	Kind Kind `json:"kind"`
	// Area is the area in whose score it counts first.
	Area Area `json:"area"`
	// Detail says what exactly was found in the first of the calls.
	Detail string `json:"detail"`
	// Why says in a sentence why that matters.
	Why string `json:"why"`
	// Mend says in a sentence how to fix it.
	Mend string `json:"mend"`
	// Calls describes the calls that show it.
	Calls []string `json:"calls"`
	// Evidence has the positions of those calls in [Report.Calls], with those of calls
	// that were compared with them. The first is the call that Arguments and Answer are of.
	Evidence []int `json:"evidence"`
	// Arguments are those of the first of them, as JSON, cut to 300 letters.
	Arguments string `json:"arguments"`
	// Answer is what came back, cut to 300 letters, with the secrets that were found
	// in it masked.
	Answer string `json:"answer"`
}

// String returns the finding in a few lines.
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

// A Report is what [Check] found.
type Report struct {
	// Findings are in the order of the server's tools; none means that nothing is
	// wrong with what was tried.
	Findings []Finding `json:"findings"`
	// Tools are all the tools of the server.
	Tools []ToolReport `json:"tools"`
	// Calls are all calls that were made, in their order.
	Calls []Call `json:"calls"`
	// Scores has one for each area.
	Scores []Score `json:"scores"`
}

// A ToolReport says what was tried of a tool.
type ToolReport struct {
	// Name is the tool's.
	Name string `json:"name"`
	// Calls is how many calls of it were made.
	Calls int `json:"calls"`
	// Skipped says why no call was made, or not all of them; else it is empty.
	Skipped string `json:"skipped,omitempty"`
	// Tool is the tool as the server lists it.
	Tool *mcp.Tool `json:"-"`
}

// String returns the findings for reading, or says that there are none.
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

// findings groups what is wrong by tool and kind, in the order of the server's tools.
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
		f.Calls, f.Evidence = append([]string{}, f.Calls...), append([]int{}, f.Evidence...) // [] and no null in JSON
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
