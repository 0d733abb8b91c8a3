package servertest

import (
	"fmt"
	"maps"
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
	TierUnsafe     Tier = "unsafe"     // the server dies, hangs, leaks credentials, does work twice under one key, or returns failures as data
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
	case has(func(k Kind) bool { return explanations()[k].severity == "error" && !slices.Contains(c.opts.Allow, k) }):
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
	named := strings.Contains(text, unknownArgument) || slices.ContainsFunc(toolsNamed(text), func(name string) bool { return name != a.tool })
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
// the share of failures in higher tiers; in tier readable, half of the rise depends on those that name
// more than their kind; in the highest tier, it rises with the share of answers without a defect.
func (c *checker) setTier(report *Report) {
	total, right, vague, tested, worked := 0, 0, 0, false, map[string]bool{}
	for _, a := range c.answers {
		worked[a.tool] = worked[a.tool] || a.succeeded()
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
	if total == 0 {
		return
	}
	from := func(level int) (n int) { // failures of this tier or above
		for _, tier := range tiers[min(level, len(tiers)):] {
			n += report.Failures[tier]
		}
		return n
	}
	level := len(tiers) - 1
	for level > 1 && from(level)*100 < reaches*total {
		level--
	}
	if isProven := tested && len(c.general) == 0 && !slices.Contains(slices.Collect(maps.Values(worked)), false); level == len(tiers)-1 && !isProven {
		level-- // a promise that nobody has tested proves nothing
	}
	if report.Failures[TierUnsafe] > 0 {
		level = 0
	}
	higher := 19 * from(level+1)
	if tiers[level] == TierReadable {
		higher = 10*from(level+1) + 9*(from(level)-vague)
	}
	report.Tier, report.Score = tiers[level], 20*level+higher/total
	if report.Tier == TierProven {
		report.Score = 80 + 20*right/len(c.answers)
	}
}

var ids = lazy(`[0-9a-fA-F-]{8,}|\d+`)

// checkSame finds otherwise correct failures of one tool whose message is the same for different mistakes
// and does not name them. A message does not count if the valid call gets it too, as a transient failure.
func (c *checker) checkSame() {
	same, down := map[string][]*answer{}, map[string]bool{}
	for _, a := range c.answers {
		if a.failure != nil && a.out.Err != nil && a.out.Err.Field == "" && len(a.violations) == 0 {
			said := a.tool + "\n" + ids().ReplaceAllString(a.out.Err.Message, "")
			if a.probe.forbidden {
				same[said] = append(same[said], a)
			} else if a.probe.name == validArguments && a.out.Err.Category == toolerr.CategoryTransient {
				down[said] = true
			}
		}
	}
	for said, answers := range same {
		if down[said] {
			continue
		}
		for _, a := range answers {
			differ := slices.ContainsFunc(answers, func(b *answer) bool { return jsonOf(a.probe.arguments) != jsonOf(b.probe.arguments) })
			if message := a.out.Err.Message; differ && !c.isReadable(a, message) {
				detail := fmt.Sprintf("it says the same of %d different mistakes: %s", len(answers), clip(message, 120))
				a.violations = append(a.violations, violation{KindSameAnswer, detail, answers})
			}
		}
	}
}
