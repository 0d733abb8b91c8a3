package main

import (
	"fmt"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// tiers describes the tiers, for -help and for reports, from best to worst.
var tiers = []struct {
	Tier servertest.Tier
	Says string
}{
	{servertest.TierProven, "and every failure has a hint, and what failures state was tested and is true: effects, " +
		"keys, waits"},
	{servertest.TierStructured, "a program can act on the failures: JSON with a category, a retryable flag and a message"},
	{servertest.TierReadable, "a model can act on them: they name the argument, the kind of failure or the next step"},
	{servertest.TierOpaque, "nobody can act on them"},
	{servertest.TierUnsafe, "the server dies, hangs, shows a credential, does work twice under one key, or tells a " +
		"failure as data"},
}

// says returns what a tier means.
func says(tier servertest.Tier) string {
	for _, t := range tiers {
		if t.Tier == tier {
			return t.Says
		}
	}
	return "no failure was seen, so that nothing is claimed"
}

// A rung is a row of the table of tiers.
type rung struct {
	Tier     servertest.Tier
	Says     string
	Failures int
	Percent  int // of all failures
}

// ladder returns a row for each tier, from best to worst.
func (g *graded) ladder() (list []rung) {
	total := 0
	for _, n := range g.Failures {
		total += n
	}
	for _, t := range tiers {
		list = append(list, rung{t.Tier, t.Says, g.Failures[t.Tier], 100 * g.Failures[t.Tier] / max(total, 1)})
	}
	return list
}

// scoring returns the part of -help that explains the tiers and the score.
func scoring() string {
	var b strings.Builder
	_, _ = b.WriteString("\nThe tier of a server is the highest that nine in ten of its failures reach:\n")
	for _, t := range tiers {
		line := fmt.Sprintf("  %-11s", t.Tier)
		for word := range strings.FieldsSeq(t.Says) {
			if len(line)+1+len(word) > 80 {
				_, _ = b.WriteString(line + "\n")
				line = strings.Repeat(" ", 13)
			}
			line += " " + word
		}
		_, _ = b.WriteString(line + "\n")
	}
	_, _ = b.WriteString("Each tier has twenty points of the score, from 0 to 100: a higher tier never has the\nlower " +
		"score. Findings and notes name all that lowers it: proven takes nine in ten tools\ncalled, and nine in ten calls " +
		"refused that the schemas forbid.\n")
	return b.String()
}
