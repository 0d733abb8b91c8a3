package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A graded is a report, with what this program adds to it. The json format encodes it.
type graded struct {
	Server string    `json:"server"`          // its name and version, printable
	Grade  string    `json:"grade"`           // the version of this program
	Time   time.Time `json:"time"`            // when the check ended
	Source string    `json:"-"`               // the file to which SARIF assigns findings
	Error  string    `json:"error,omitempty"` // why the server could not be checked
	servertest.Report
	Calls  []call   `json:"calls"`  // instead of the report's
	Causes []*cause `json:"causes"` // the findings, grouped by what they say
}

// A call is one call that the check made, and what an agent does after it.
type call struct {
	servertest.Call
	Action   retry.Action      `json:"action"`
	Reason   retry.Reason      `json:"reason"`
	DelayMs  int64             `json:"delayMs,omitempty"`
	Findings []servertest.Kind `json:"findings"` // kinds that the call shows
}

// Reading returns how package result reads the answer: the kind and, for a failure, its category
// and code.
func (c call) Reading() string {
	if c.Outcome.Err == nil {
		return words(c.Kind.String())
	}
	category := cmp.Or(string(c.Outcome.Err.Category), "no known category")
	return words(fmt.Sprintf("%s, %s, %s", c.Kind, category, cmp.Or(string(c.Outcome.Err.Code), "no code")))
}

// setReport sets the report and, for each call, what an agent with the default policy does after a
// first attempt if it trusts the annotations.
func (g *graded) setReport(report *servertest.Report) {
	g.Report, g.Calls = *report, make([]call, len(report.Calls))
	safety := map[string]retry.Safety{}
	for _, tool := range report.Tools {
		safety[tool.Name] = retry.SafetyOf(tool.Tool)
	}
	for i, c := range report.Calls {
		d := retry.Policy{}.Decide(c.Outcome, retry.State{Attempt: 1, Safety: safety[c.Tool]})
		g.Calls[i] = call{c, d.Action, d.Reason, d.Delay.Milliseconds(), []servertest.Kind{}}
	}
	g.Causes = causes(g.Findings)
	for _, f := range report.Findings {
		for _, i := range f.Evidence { // which include compared calls
			if c := &g.Calls[i]; c.Tool == f.Tool && slices.Contains(f.Calls, c.Probe) {
				c.Findings = append(c.Findings, f.Kind)
			}
		}
	}
}

// byTool returns the calls of each tool.
func (g *graded) byTool() map[string][]call {
	calls := map[string][]call{}
	for _, c := range g.Calls {
		calls[c.Tool] = append(calls[c.Tool], c)
	}
	return calls
}

// A cause groups the findings of one kind that say the same about one or more tools.
type cause struct {
	servertest.Finding `json:"first"`
	Tools              []string `json:"tools"`
	Seen               int      `json:"seen"` // number of calls that show it
}

// key returns what the findings of a cause share: the kind, and the text without particulars.
func (c *cause) key() string {
	return string(c.Kind) + particulars.ReplaceAllString(c.Detail, "")
}

var particulars = regexp.MustCompile("[\"'`][^\"'`]*[\"'`]|:.*|[0-9]+")

// Summary returns the tier and the score, with the number of tools that they are about.
func (g *graded) Summary() string {
	tier := cmp.Or(string(g.Tier), "no tier")
	return fmt.Sprintf("%s, score %d of 100, by %d of %d tools called", tier, g.Score, g.Called, len(g.Tools))
}

// causes groups findings by kind and text, ignoring quotations, numbers and text after a colon.
func causes(findings []servertest.Finding) []*cause {
	list := []*cause{}
	known := map[string]*cause{}
	for _, f := range findings {
		key := (&cause{Finding: f}).key()
		if known[key] == nil {
			known[key] = &cause{Finding: f}
			list = append(list, known[key])
		}
		known[key].Tools = append(known[key].Tools, name(f.Tool))
		known[key].Seen += len(f.Calls)
	}
	slices.SortStableFunc(list, func(a, b *cause) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), cmp.Compare(b.Seen, a.Seen)) // errors first
	})
	return list
}

// added returns the findings that are new: the baseline has none of this kind for this tool.
func (g *graded) added(baseline []servertest.Finding) (list []servertest.Finding) {
	for _, f := range g.Findings {
		if !slices.ContainsFunc(baseline, func(b servertest.Finding) bool { return b.Tool == f.Tool && b.Kind == f.Kind }) {
			list = append(list, f)
		}
	}
	return list
}

// fails reports whether the run fails: without -min, if there is any finding; with it, if the score
// is lower or there is an error that -allow does not permit. Findings in the baseline do not count.
func (g *graded) fails(opts options) bool {
	found := g.added(opts.known)
	if opts.min == nil {
		return len(found) > 0
	}
	return g.Score < *opts.min || slices.ContainsFunc(found, func(f servertest.Finding) bool {
		return f.Severity == "error" && !slices.Contains(opts.allow, f.Kind)
	})
}

// A group holds all findings of one kind, which have the same explanation and fix.
type group struct {
	servertest.Finding // the first
	All                []servertest.Finding
	Seen               int // number of calls that show it
}

// groups returns findings by kind: errors first, then the kind that the most calls show.
func groups(findings []servertest.Finding) []*group {
	var list []*group
	known := map[servertest.Kind]*group{}
	for _, f := range findings {
		if known[f.Kind] == nil {
			known[f.Kind] = &group{Finding: f}
			list = append(list, known[f.Kind])
		}
		known[f.Kind].All = append(known[f.Kind].All, f)
		known[f.Kind].Seen += len(f.Calls)
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), cmp.Compare(b.Seen, a.Seen)) // errors first
	})
	return list
}

// words returns the name of a kind or an action, with spaces instead of underscores.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// name returns a tool's name, printable and cut if it is long, or "(the server)" if it is empty.
func name(tool string) string { return cmp.Or(cut(printable(tool), 120), "(the server)") }

func cut(text string, most int) string {
	letters := []rune(text)
	if len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

// printable removes nonprintable characters, which could move a terminal's cursor or reverse the
// order of letters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}
