package resulttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Finding is one thing that is wrong with one tool, however many calls show it.
type Finding struct {
	// Tool is the tool, or empty if it is the server.
	Tool string `json:"tool"`
	// Kind is what is wrong.
	Kind Kind `json:"kind"`
	// Detail says what exactly was found in the first of the calls.
	Detail string `json:"detail"`
	// Why says in a sentence why that matters.
	Why string `json:"why"`
	// Mend says in a sentence how to fix it.
	Mend string `json:"mend"`
	// Calls describes the calls that show it.
	Calls []string `json:"calls"`
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
	_, _ = fmt.Fprintf(&b, "\n    why: %s\n    mend: %s", f.Why, f.Mend)
	return b.String()
}

// A Report is what [Check] found.
type Report struct {
	// Findings are in the order of the server's tools; none means that nothing is
	// wrong with what was tried.
	Findings []Finding `json:"findings"`
	// Tools are all the tools of the server.
	Tools []ToolReport `json:"tools"`
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
}

// String returns the findings for reading, or says that there are none.
func (r *Report) String() string {
	calls := 0
	for _, t := range r.Tools {
		calls += t.Calls
	}
	if len(r.Findings) == 0 {
		return fmt.Sprintf("no finding in %d calls", calls)
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
		list = append(list, Finding{Kind: KindEndlessList, Detail: "the list of tools has no end, and was cut", Calls: []string{}})
	}
	for _, tool := range c.unannotated {
		list = append(list, noAnnotations(tool))
	}
	for _, a := range c.answers {
		for _, v := range a.violations {
			at := slices.IndexFunc(list, func(f Finding) bool { return f.Tool == a.tool && f.Kind == v.kind })
			if at < 0 {
				at = len(list)
				list = append(list, Finding{Tool: a.tool, Kind: v.kind, Detail: v.detail, Arguments: clip(jsonOf(a.probe.arguments), 300), Answer: a.shown(c.opts.Leaks)})
			}
			if calls := list[at].Calls; !slices.Contains(calls, a.probe.name) {
				list[at].Calls = append(calls, a.probe.name)
			}
		}
	}
	for i, f := range list {
		list[i].Why, list[i].Mend = explain(f.Kind)
	}
	place := func(f Finding) int {
		return slices.IndexFunc(tools, func(t ToolReport) bool { return t.Name == f.Tool })
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(place(a), place(b)) })
	return slices.DeleteFunc(list, func(f Finding) bool { return c.opts.Ignore != nil && c.opts.Ignore(f) })
}
