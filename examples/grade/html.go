package main

import (
	"crypto/sha256"
	_ "embed" // the template and its style
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

const homepage = "https://github.com/mcp-toolerr/toolerr-go"

var (
	//go:embed report.html
	reportHTML string
	//go:embed report.css
	reportCSS string
)

// These constants limit an HTML report: the calls in all (but at least four per tool), the rows per
// table, and the letters per text. Two thousand calls are about 6 MB, which browsers still open
// quickly. Format json has no limits.
const (
	maxCalls   = 2000
	maxRows    = 50
	maxLetters = 2000
)

// A page is the data for the HTML template.
type page struct {
	*graded
	Style  template.CSS
	Policy string // the content security policy: nothing but its own style
	Fixes  []pageGroup
	More   []pageGroup // the notes
	Ladder []rung
	Tools  []pageTool
}

// A pageGroup holds the findings of one kind, the call of the first finding, and those of other
// tools compared with that call.
type pageGroup struct {
	*group
	Calls []call
	Rows  []servertest.Finding
}

// A pageTool is a tool and its calls, starting with those that have findings.
type pageTool struct {
	Name                 string
	Made, Wrong, Missing int // numbers of calls: all, with findings, not on the page
	Calls                []call
}

// writeHTML writes a self-contained page: it loads nothing and runs no script. Everything
// that a server sent is escaped.
func writeHTML(w io.Writer, g *graded) error {
	sum := sha256.Sum256([]byte(reportCSS))
	p := page{
		graded: g, Style: template.CSS(reportCSS), Ladder: g.ladder(),
		Fixes: g.pageGroups(g.Findings), More: g.pageGroups(g.Notes),
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
	}
	calls := g.byTool()
	for _, t := range g.Tools {
		if list := calls[t.Name]; len(list) > 0 {
			p.Tools = append(p.Tools, newPageTool(t.Name, list, max(maxCalls/len(calls), 4)))
		}
	}
	tmpl, err := template.New("report").Funcs(template.FuncMap{
		"name": name, "words": func(k servertest.Kind) string { return words(string(k)) }, "clean": clean, "plural": plural,
		"does":  func(a retry.Action) string { return does[a] },
		"says":  says,
		"step":  func(tier servertest.Tier) string { return steps[tier] },
		"rank":  func(percent int) string { return ranks[scoreColor(percent)] },
		"minus": func(a, b int) int { return a - b },
	}).Parse(reportHTML)
	if err != nil {
		return err
	}
	return tmpl.Execute(w, p)
}

func (g *graded) pageGroups(findings []servertest.Finding) (list []pageGroup) {
	for _, group := range groups(findings) {
		list = append(list, pageGroup{group, g.examples(group.Evidence), group.All[:min(len(group.All), maxRows)]})
	}
	return list
}

// examples returns at most three calls: a finding's first, and the calls of other tools that it was
// compared with.
func (g *graded) examples(evidence []int) (list []call) {
	for _, i := range evidence {
		c := g.Calls[i]
		if len(list) < 3 && !slices.ContainsFunc(list, func(o call) bool { return o.Tool == c.Tool }) {
			list = append(list, c)
		}
	}
	return list
}

func newPageTool(name string, calls []call, most int) pageTool {
	isRight := func(c call) bool { return len(c.Findings) == 0 }
	wrong := slices.DeleteFunc(slices.Clone(calls), isRight)
	t := pageTool{Name: name, Made: len(calls), Wrong: len(wrong)}
	t.Calls = append(wrong, slices.DeleteFunc(slices.Clone(calls), func(c call) bool { return !isRight(c) })...)
	t.Calls = t.Calls[:min(len(calls), most)]
	t.Missing = len(calls) - len(t.Calls)
	return t
}

// does maps each action to words that follow "the agent".
var does = map[retry.Action]string{
	retry.ActionPropagate:    "hands the failure up",
	retry.ActionAccept:       "takes the answer and goes on",
	retry.ActionRetry:        "repeats the identical call",
	retry.ActionFixInput:     "calls again with other arguments",
	retry.ActionEscalate:     "hands over to a person",
	retry.ActionReauthorize:  "asks for other credentials",
	retry.ActionVerify:       "finds out whether the call took effect",
	retry.ActionProvideInput: "provides the input that the tool asks for",
}

// steps maps tiers to CSS classes.
var steps = map[servertest.Tier]string{
	servertest.TierUnsafe: "poor", servertest.TierOpaque: "poor", servertest.TierReadable: "fair",
	servertest.TierStructured: "good", servertest.TierProven: "good",
}

// ranks maps the color of a score on a terminal to its CSS class.
var ranks = map[string]string{green: "good", yellow: "fair", red: "poor"}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// clean removes nonprintable characters, except newlines and tabs, and cuts long texts.
func clean(text string) string {
	return cut(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return -1
	}, text), maxLetters)
}
