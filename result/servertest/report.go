package servertest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A Report is the result of [Check].
type Report struct {
	Findings []Finding    `json:"findings"` // by tool; empty if there are none
	Notes    []Finding    `json:"notes"`    // no defects, but what keeps a server without findings from being proven
	Tools    []ToolReport `json:"tools"`    // all of the server
	Calls    []Call       `json:"calls"`    // all calls in order
	// Tier is the highest tier that nine in ten failures reach, but unsafe if any failure is. If most
	// calls that the schemas forbid are accepted, it is at most opaque. Proven also requires that nine
	// in ten of these calls fail and nine in ten tools are called, annotations or a key on every tool,
	// no new_keys, a tested statement, and at least one success of each called tool. Findings and
	// Notes name what is missing.
	Tier     Tier         `json:"tier"`
	Score    int          `json:"score"`    // 0 to 100, more in a higher tier than in a lower one
	Called   int          `json:"called"`   // the number of tools that were called: the score says nothing about others
	Failures map[Tier]int `json:"failures"` // the number of failures in each tier
}

// A Finding is one defect of one tool, with the calls that show it, if any.
type Finding struct {
	Tool string `json:"tool"` // the tool's name, or "" for the server
	Kind Kind   `json:"kind"` // what is wrong
	// "error", which makes the server unsafe (see Options.Allow), "warning" or, of Notes, "note"
	Severity string   `json:"severity"`
	Detail   string   `json:"detail"` // the defect in the first call
	Why      string   `json:"why"`    // why it matters, in one sentence
	Fix      string   `json:"fix"`    // how to fix it, in one sentence
	Calls    []string `json:"calls"`  // descriptions of the calls that show it
	// indexes in [Report.Calls] of these calls, and of those that they were compared with
	Evidence  []int  `json:"evidence"`
	Arguments string `json:"arguments"` // of the first call, as in [Call]
	Answer    string `json:"answer"`    // to the first call, as in [Call]
}

// String returns the finding as a few lines of text.
func (f Finding) String() string {
	shown, more := "", ""
	if n := len(f.Calls); n > 1 {
		more = fmt.Sprintf(" (and %d more)", n-1)
	}
	if len(f.Calls) > 0 {
		shown = fmt.Sprintf("\n    call: %s%s\n    arguments: %s\n    answer: %s", f.Calls[0], more, f.Arguments, f.Answer)
	}
	return fmt.Sprintf("%s: %s: %s%s\n    why: %s\n    fix: %s", f.Tool, f.Kind, f.Detail, shown, f.Why, f.Fix)
}

// A ToolReport states how often a tool was called.
type ToolReport struct {
	Name    string    `json:"name"`              // the tool's name
	Calls   int       `json:"calls"`             // number of calls of the tool
	Skipped string    `json:"skipped,omitempty"` // why some or all calls were not made; empty if all were
	Tool    *mcp.Tool `json:"-"`                 // as the server lists it
}

// A Call is one call that [Check] made. Its texts are truncated, and secrets in them are masked.
type Call struct {
	Tool      string      `json:"tool"`      // the tool that was called
	Probe     string      `json:"probe"`     // what kind of call it is, such as "without path"
	Arguments string      `json:"arguments"` // as JSON, at most 300 characters
	Kind      result.Kind `json:"kind"`      // the kind of the answer, as read by [result.Parse]
	// the server's or the error's text, at most 300 characters, or "(none)" after a timeout
	Answer string `json:"answer"`
	// the text that an agent sees, at most 1,000 characters: [result.Outcome.Text]
	Seen      string         `json:"seen"`
	Tier      Tier           `json:"tier,omitempty"` // of a failure
	ElapsedMs int64          `json:"elapsedMs"`      // the duration of the call in milliseconds, rounded up
	Outcome   result.Outcome `json:"-"`              // for programs; its secrets are not masked
}

func (c *checker) describe(a *answer) Call {
	shown := func(text string, most int) string { return clip(withoutSecrets(text, c.opts.Leaks), most) }
	return Call{
		Tool: a.tool, Probe: a.probe.name, Kind: a.out.Kind, Outcome: a.out, Tier: a.tier,
		Arguments: shown(jsonOf(a.probe.arguments), 300),
		Answer:    shown(a.text(), 300),
		Seen:      shown(a.out.Text(), 1000),
		ElapsedMs: int64((a.elapsed + time.Millisecond - 1) / time.Millisecond),
	}
}

// finding returns a finding about a tool, or about the server if tool is "". Answer a, if not nil, shows it.
func (c *checker) finding(tool string, kind Kind, a *answer, detail string) Finding {
	f := explanations()[kind]
	f.Tool, f.Kind, f.Detail, f.Calls, f.Evidence = tool, kind, withoutSecrets(detail, c.opts.Leaks), []string{}, []int{}
	if a != nil {
		call := c.describe(a)
		f.Calls, f.Evidence = append(f.Calls, a.probe.name), append(f.Evidence, a.position)
		f.Arguments, f.Answer = call.Arguments, call.Answer
	}
	return f
}

// findings groups the violations of answers by tool and kind, ordered by tool.
func (c *checker) findings(general []Finding, answers []*answer) []Finding {
	list := append([]Finding{}, general...)
	for _, a := range answers {
		for _, v := range a.violations {
			i := slices.IndexFunc(list, func(f Finding) bool { return f.Tool == a.tool && f.Kind == v.kind })
			if i < 0 {
				i = len(list)
				list = append(list, c.finding(a.tool, v.kind, a, v.detail))
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
	slices.SortStableFunc(list, func(a, b Finding) int { return strings.Compare(a.Tool, b.Tool) })
	return slices.DeleteFunc(list, c.opts.ignores)
}
