package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

// writeReport returns the coordinator's answer: the results, and a sentence about what is missing.
func writeReport(c *coordinator, coverage handoff.Coverage) string {
	var b strings.Builder
	var all []entry
	from := make([]string, len(c.agents))
	for i, a := range c.agents {
		hits := read(a.out).Hits
		all = append(all, hits...)
		from[i] = fmt.Sprintf("%d in %s", len(hits), a.name)
	}
	_, _ = fmt.Fprintf(&b, "%d entries with a word of %q: %s.\n\n", len(all), c.query, strings.Join(from, ", "))
	slices.SortStableFunc(all, func(a, b entry) int { return a.Year - b.Year })
	for len(all) > 0 {
		decade := all[0].Year / 10
		n := slices.IndexFunc(all, func(e entry) bool { return e.Year/10 != decade })
		if n < 0 {
			n = len(all)
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" and %d more", n-1)
		}
		_, _ = fmt.Fprintf(&b, "%d0s  %s%s\n", decade, all[0].Title, more)
		all = all[n:]
	}
	return b.String() + "\n" + coverage.String() + "\n"
}
