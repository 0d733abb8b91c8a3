package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// writeText writes the report as text, in color if w is a terminal. If an error occurred before any
// tool was found, it writes nothing: the error goes to stderr.
func writeText(w io.Writer, g *graded) error {
	if g.Error != "" && len(g.Tools) == 0 {
		return nil
	}
	t := &text{style: styleOf(w)}
	t.printf("%s: %d of %d tools called, %d calls, findings: %d\n", t.paint(bold, g.Server), g.Called, len(g.Tools),
		len(g.Calls), len(g.Causes))
	t.findings(g, "Findings", "What to do", g.Findings)
	if len(g.Calls) > 0 {
		t.tiers(g)
	}
	t.findings(g, "Notes", "What would show more", g.Notes)
	_, err := w.Write(t.Bytes())
	return err
}

type text struct {
	bytes.Buffer
	style
}

func (t *text) printf(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) }

func (t *text) heading(title string) { t.printf("\n%s\n\n", t.paint(bold, title)) }

// findings writes a table of findings, and advice for each kind.
func (t *text) findings(g *graded, title, advice string, list []servertest.Finding) {
	if len(list) == 0 {
		return
	}
	t.heading(title)
	t.table(func(row func(string, ...any)) {
		row(bold, "finding", "", "tools", "calls", "detail")
		for _, c := range causes(list) {
			row(map[string]string{"error": red}[c.Severity], c.Kind, c.Severity, cut(strings.Join(c.Tools, ", "), 60), c.Seen,
				cut(c.Detail, 100))
		}
	})
	t.heading(advice)
	for i, group := range groups(list) {
		if i > 0 {
			t.printf("\n")
		}
		t.advise(g, group)
	}
}

func (t *text) tiers(g *graded) {
	t.heading("Tier")
	t.table(func(row func(string, ...any)) {
		row(bold, "tier", "failures", "")
		for _, r := range g.ladder() {
			color := ""
			if r.Tier == g.Tier {
				color = scoreColor(g.Score)
			}
			row(color, r.Tier, r.Failures, r.Says)
		}
	})
	t.printf("\n  %s\n", t.paint(scoreColor(g.Score), g.Summary()))
}

// advise writes why a kind of finding matters, how to fix it, an example call, and what an agent
// does next.
func (t *text) advise(g *graded, group *group) {
	t.printf("  %s\n    why   %s\n    fix   %s\n", t.paint(yellow, string(group.Kind)), group.Why, group.Fix)
	if group.Kind == servertest.KindMasked {
		var parts []string
		for _, f := range group.All {
			parts = append(parts, fmt.Sprintf("%s was called %s", name(f.Tool), strings.Join(f.Calls, ", ")))
		}
		t.printf("    know  %s\n", printable(strings.Join(parts, "; ")))
	}
	if len(group.Evidence) > 0 {
		c := g.Calls[group.Evidence[0]]
		t.printf("    seen  %s, %s\n          %s\n          -> %s\n", name(c.Tool), printable(c.Probe),
			printable(c.Arguments), cut(printable(c.Answer), 300))
		t.printf("    then  the agent %s: %s\n", does[c.Action], c.Reason)
	}
}

// table writes the rows that fill adds in aligned columns, each in its color, if any.
func (t *text) table(fill func(row func(color string, cells ...any))) {
	var b bytes.Buffer
	var colors []string
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fill(func(color string, cells ...any) {
		texts := make([]string, len(cells))
		for i, cell := range cells {
			texts[i] = printable(fmt.Sprint(cell))
		}
		colors = append(colors, color)
		_, _ = fmt.Fprintln(tw, "  "+strings.Join(texts, "\t"))
	})
	_ = tw.Flush()
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if colors[i] != "" {
			line = t.paint(colors[i], line)
		}
		t.printf("%s\n", line)
	}
}
