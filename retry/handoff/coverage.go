package handoff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Step is a coordinator's action for a [Gap]: the first constant that applies.
type Step string

const (
	// StepVerify means to look up what the call has done before anything else: it may have taken
	// effect, or has, and every other call could do its work twice.
	StepVerify Step = "verify"
	// StepContinue means to call the source again from where it stopped, like retry.Resume.
	StepContinue Step = "continue"
	// StepOtherSource means to call one of the failure's alternatives.
	StepOtherSource Step = "other_source"
	// StepNarrow means to send the source a narrower query, or a different one.
	StepNarrow Step = "narrow"
	// StepGoOn means to continue without the source, and to say so in the answer.
	StepGoOn Step = "go_on"
)

// A Gap is a source's missing answer, or the missing part of one.
type Gap struct {
	// Source is the source's name.
	Source string
	// Have is the number of processed items. Total is the total number of items, or 0 if unknown.
	// Both are 0 if there was no answer.
	Have, Total int
	// Err is the failure. It is not nil.
	Err *toolerr.Error
	// Step is the action to take.
	Step Step
}

// A Coverage lists which sources have answered. Each list is sorted by name.
type Coverage struct {
	// Complete lists the sources that answered completely, including those without hits.
	Complete []string
	// Partial lists the sources that answered in part; Missing lists those that did not answer.
	Partial, Missing []Gap
}

// Cover merges the outcomes of several sources, keyed by name. A source that asks for input counts
// as missing. A source that failed after a complete answer counts as complete.
func Cover(outcomes map[string]result.Outcome) Coverage {
	var c Coverage
	for _, source := range slices.Sorted(maps.Keys(outcomes)) {
		e := toolerr.From(outcomes[source].AsError())
		if outcomes[source].Kind == result.KindInputRequired {
			e = errNeedsInput
		}
		p := cmp.Or(e, new(toolerr.Error)).Partial
		if e == nil || p != nil && p.ContinueFrom == nil && p.Total > 0 && p.Processed >= p.Total { // read to the end
			c.Complete = append(c.Complete, source)
			continue
		}
		gap := Gap{Source: source, Err: e, Step: stepFor(e)}
		if p != nil && (p.Processed > 0 || len(p.Results) > 0) {
			gap.Have, gap.Total = max(p.Processed, 0), max(p.Total, 0)
			c.Partial = append(c.Partial, gap)
		} else {
			c.Missing = append(c.Missing, gap)
		}
	}
	return c
}

var errNeedsInput = toolerr.Validation("The source needs input before it can answer.").WithRetryable(false)

func stepFor(e *toolerr.Error) Step {
	switch {
	case e.Effect == toolerr.EffectUnknown, e.Effect == toolerr.EffectApplied && e.Partial == nil:
		return StepVerify
	case e.Partial != nil && e.Partial.ContinueFrom != nil:
		return StepContinue
	case len(e.Alternatives) > 0:
		return StepOtherSource
	case e.Category == toolerr.CategoryValidation, e.Code == toolerr.CodeTimeout, e.Code == toolerr.CodeLimitExceeded:
		return StepNarrow
	}
	return StepGoOn
}

// Gaps returns all gaps: first Partial, then Missing.
func (c Coverage) Gaps() []Gap { return slices.Concat(c.Partial, c.Missing) }

// String returns a sentence for each gap, one per line, or that all sources have answered.
func (c Coverage) String() string {
	var lines []string
	for _, g := range c.Gaps() {
		lines = append(lines, g.String())
	}
	return cmp.Or(strings.Join(lines, "\n"), "All sources have answered.")
}

// maxSource is the maximum length of a source's name, in bytes, chosen because names are shorter.
const maxSource = 256

// String returns a sentence for the final answer, on one line. It contains no text from the
// failure, because that is written for the model.
func (g Gap) String() string {
	e, what, is := cmp.Or(g.Err, new(toolerr.Error)), "Nothing", "is"
	switch {
	case g.Have > 0 && g.Total > 0:
		what, is = fmt.Sprintf("Only %d of %d results", g.Have, g.Total), "are"
	case g.Have > 0:
		what, is = fmt.Sprintf("Only the first %d results", g.Have), "are"
	case e.Partial != nil && len(e.Partial.Results) > 0:
		what = "Only a part"
	}
	reason := cmp.Or(codeReasons[e.Code], categoryReasons[e.Category])
	if reason == "" && e.Category == toolerr.CategoryTransient && e.Partial != nil {
		reason = "it stopped before the end"
	}
	source := sanitize.Line(g.Source, maxSource)
	return fmt.Sprintf("%s from %s %s included, because %s.", what, source, is, cmp.Or(reason, "it failed"))
}

// The reasons why a source has not answered, in words for people.
var (
	codeReasons = map[toolerr.Code]string{
		toolerr.CodeTimeout:     "it did not answer in time",
		toolerr.CodeUnavailable: "it was not available",
		toolerr.CodeRateLimited: "it allowed no more requests",
		toolerr.CodeCanceled:    "the search was canceled",
		toolerr.CodeNotFound:    "it does not have the requested item",
	}
	categoryReasons = map[toolerr.Category]string{
		toolerr.CategoryValidation: "it did not understand the request",
		toolerr.CategoryBusiness:   "its rules do not allow it",
		toolerr.CategoryPermission: "access to it is missing",
	}
)
