package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

// print writes the report for reading.
func (g *graded) print(w io.Writer) error {
	var b bytes.Buffer
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, format, args...) }
	tools := 0
	for _, t := range g.Tools {
		if t.Calls > 0 {
			tools++
		}
	}
	printf("%s: %d of %d tools called, %d calls, findings: %d\n", g.Server, tools, len(g.Tools), called(&g.Report), len(g.Findings))
	if len(g.Findings) > 0 {
		printf("\nFindings\n\n")
		table(&b, func(row func(...any)) {
			row("tool", "finding", "calls", "first seen", "detail")
			for _, f := range g.Findings {
				row(or(f.Tool, "(the server)"), f.Kind, len(f.Calls), or(strings.Join(f.Calls[:min(len(f.Calls), 1)], ""), "-"), cut(f.Detail, 100))
			}
		})
		printf("\nWhat to do\n")
		g.advise(printf)
	}
	printf("\nScore\n\n")
	table(&b, func(row func(...any)) {
		row("area", "right", "score")
		for _, s := range g.Scores {
			if s.Total == 0 {
				row(s.Area, "-", "-")
				continue
			}
			row(s.Area, fmt.Sprintf("%d of %d", s.Passed, s.Total), fmt.Sprintf("%d%%", s.Percent()))
		}
		row("overall", "", fmt.Sprintf("%d%%", g.Overall))
	})
	g.skipped(printf)
	_, err := w.Write(b.Bytes())
	return err
}

// advise says once for each kind of finding why it matters, how to mend it, and
// where it was seen.
func (g *graded) advise(printf func(string, ...any)) {
	var kinds []resulttest.Kind
	for _, f := range g.Findings {
		if slices.Contains(kinds, f.Kind) {
			continue
		}
		kinds = append(kinds, f.Kind)
		printf("\n  %s\n    why   %s\n    mend  %s\n", f.Kind, f.Why, f.Mend)
		if f.Kind == resulttest.KindMasked {
			printf("    know  %s\n", printable(g.masked()))
		}
		if len(f.Calls) > 0 {
			printf("    seen  %s, %s\n          %s\n          -> %s\n", printable(f.Tool), printable(f.Calls[0]), printable(f.Arguments), printable(f.Answer))
		}
	}
}

// masked is what a model would have to know of its calls, and was not told.
func (g *graded) masked() string {
	var parts []string
	for _, f := range g.Findings {
		if f.Kind == resulttest.KindMasked {
			parts = append(parts, fmt.Sprintf("%s was called %s", f.Tool, strings.Join(f.Calls, ", ")))
		}
	}
	return strings.Join(parts, "; ")
}

// skipped lists the tools that were not called, by the reason.
func (g *graded) skipped(printf func(string, ...any)) {
	var reasons []string
	tools := map[string][]string{}
	for _, t := range g.Tools {
		if t.Skipped == "" {
			continue
		}
		if tools[t.Skipped] == nil {
			reasons = append(reasons, t.Skipped)
		}
		tools[t.Skipped] = append(tools[t.Skipped], printable(t.Name))
	}
	if len(reasons) > 0 {
		printf("\nNot called\n\n")
	}
	for _, reason := range reasons {
		printf("  %s: %s\n", printable(reason), strings.Join(tools[reason], ", "))
	}
}

// table aligns rows in columns.
func table(w io.Writer, fill func(row func(...any))) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fill(func(cells ...any) {
		texts := make([]string, len(cells))
		for i, cell := range cells {
			texts[i] = printable(fmt.Sprint(cell))
		}
		_, _ = fmt.Fprintln(tw, "  "+strings.Join(texts, "\t"))
	})
	_ = tw.Flush()
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func cut(text string, most int) string {
	letters := []rune(text)
	if len(letters) > most {
		return string(letters[:most-3]) + "..."
	}
	return text
}

// printable takes out of a server's text what would move a terminal's cursor.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}
