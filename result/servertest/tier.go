package servertest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Tier states how well an agent can act on a server's failures, or on a single one. It is empty
// if there is no failure.
type Tier string

// The tiers, from worst to best.
const (
	// the server dies, hangs, leaks credentials, does work twice under one key, or returns failures as data
	TierUnsafe     Tier = "unsafe"
	TierOpaque     Tier = "opaque"     // the failures say neither what is wrong nor what to do
	TierReadable   Tier = "readable"   // they name the argument, the kind of failure or the next step in plain words
	TierStructured Tier = "structured" // a program can act on them: category, retryability and message
	TierProven     Tier = "proven"     // and they have a hint, and no call contradicts what they state
)

var tiers = []Tier{TierUnsafe, TierOpaque, TierReadable, TierStructured, TierProven}

// reaches is the percentage of failures that must be in a tier or above for the server to reach it.
// It is chosen so that one odd failure in ten does not decide.
const reaches = 90

// tierOf returns the tier of a failure.
func (c *checker) tierOf(a *answer) Tier {
	has := func(test func(Kind) bool) bool {
		return slices.ContainsFunc(a.violations, func(v violation) bool { return test(v.kind) })
	}
	switch {
	case has(func(k Kind) bool { return explanations()[k].Severity == "error" && !slices.Contains(c.opts.Allow, k) }):
		return TierUnsafe
	case has(func(k Kind) bool { return k == KindMasked || k == KindSameAnswer || k == KindEmptyAsFailure }):
		return TierOpaque
	case a.failure != nil && a.failure.members != nil && !a.has(KindIncomplete):
		if len(a.violations) == 0 {
			return TierProven
		}
		return TierStructured
	case c.isReadable(a, a.text()) || a.out.Err != nil && a.out.Err.Category != "":
		return TierReadable
	}
	return TierOpaque
}

// isReadable reports whether a failure's text names another tool, an argument, or what was sent.
func (c *checker) isReadable(a *answer, text string) bool {
	named := strings.Contains(text, unknownArgument) ||
		slices.ContainsFunc(toolsNamed(text), func(name string) bool { return name != a.tool })
	for _, tool := range c.tools {
		for name := range tool.input.Properties() {
			named = named || tool.Name == a.tool && regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(name)+`\b`).MatchString(text)
		}
	}
	leaves(a.probe.arguments, "", func(_ string, v any) {
		sent, _ := v.(string)
		named = named || len(sent) > 3 && strings.Contains(text, sent)
	})
	return named
}

// setTier sets the tier and the score of a report. Each tier spans twenty points. The score rises with
// the share of failures in higher tiers, in which accepted calls count as failures of no tier; in tier
// readable, half of the rise depends on those that name more than their kind; in the highest tier, it
// rises with the share of answers without a defect.
func (c *checker) setTier(report *Report) {
	total, right, vague, tested := 0, 0, 0, false
	for _, a := range c.answers {
		tested = tested || a.promised
		if len(a.violations) == 0 {
			right++
		}
		if tier := c.tierOf(a); a.failed || len(a.violations) > 0 && !a.succeeded() || tier == TierUnsafe {
			a.tier = tier
			report.Failures[tier]++
			total++
			if tier == TierReadable && !c.isReadable(a, a.text()) {
				vague++
			}
		}
	}
	from := func(level int) (n int) { // failures of this tier or above
		for _, tier := range tiers[min(level, len(tiers)):] {
			n += report.Failures[tier]
		}
		return n
	}
	proven := len(tiers) - 1
	level := proven
	for level > 1 && from(level)*100 < reaches*total {
		level--
	}
	if level == proven && !tested && len(c.answers) > 0 { // a promise that nobody has tested proves nothing
		c.notes = append(c.notes, c.finding("", KindUntested, nil, "no failure states anything that a call could test"))
	}
	if total+c.accepted == 0 {
		return
	}
	switch few := func(part, whole int) bool { return part*100 <= (100-reaches)*whole }; {
	case report.Failures[TierUnsafe] > 0:
		level = 0
	case 2*c.accepted > c.forbidden:
		level = 1
	case len(c.general) > 0, len(c.notes) > c.missing, !few(c.missing, len(report.Tools)), !few(c.accepted, c.forbidden):
		level = min(level, proven-1)
	}
	higher := 19 * from(level+1)
	if tiers[level] == TierReadable {
		higher = 10*from(level+1) + 9*(from(level)-vague)
	}
	report.Tier, report.Score = tiers[level], 20*level+higher/(total+c.accepted)
	if report.Tier == TierProven {
		report.Score = 80 + 20*right/len(c.answers)
	}
}

var ids = lazy(`[0-9a-fA-F-]{8,}|\d+`)

// checkSame finds failures whose message is the same for different mistakes, in one tool or several, and does
// not name them. A message does not count if the tool's valid call gets it too, and it is of a kind that no
// argument corrects: a service is down, access is denied.
func (c *checker) checkSame() {
	same, down := map[string][]*answer{}, map[string]bool{}
	for _, a := range c.answers {
		if a.failure == nil || a.failure.text == "" || a.out.Err == nil || a.out.Err.Field != "" || a.has(KindMasked) {
			continue
		}
		said, category := ids().ReplaceAllString(a.out.Err.Message, ""), a.out.Err.Category
		if a.probe.forbidden {
			same[said] = append(same[said], a)
		} else if a.probe.name == validArguments && category != "" && category != toolerr.CategoryValidation {
			down[a.tool+"\n"+said] = true
		}
	}
	for said, answers := range same {
		answers = slices.DeleteFunc(answers, func(a *answer) bool {
			return down[a.tool+"\n"+said] || c.isReadable(a, a.out.Err.Message)
		})
		for _, a := range answers {
			if slices.ContainsFunc(answers, func(b *answer) bool {
				return a.tool != b.tool || jsonOf(a.probe.arguments) != jsonOf(b.probe.arguments)
			}) {
				detail := fmt.Sprintf("it says the same of %d different mistakes: %s", len(answers), clip(a.out.Err.Message, 120))
				a.violations = append(a.violations, violation{KindSameAnswer, detail, answers})
			}
		}
	}
}
