package handoff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Step is what a coordinator does about a [Gap]: the first of the constants that
// fits.
type Step string

const (
	// StepContinue calls the source again, from where it stopped, as retry.Resume does.
	StepContinue Step = "continue"
	// StepOtherSource uses one of the failure's alternatives.
	StepOtherSource Step = "other_source"
	// StepNarrow asks the source for less, or for it in other words.
	StepNarrow Step = "narrow"
	// StepGoOn goes on without it, and says so.
	StepGoOn Step = "go_on"
)

// A Gap is a source's missing answer, or missing part of it.
type Gap struct {
	// Source is the source's name.
	Source string
	// Have is how many items there are, of Total, which is 0 if it is not known.
	// Both are 0 if nothing came.
	Have, Total int
	// Err is the failure. It is not nil.
	Err *toolerr.Error
	// Step is what to do about it.
	Step Step
}

// A Coverage says which of several sources have answered, each list in the order of
// their names.
type Coverage struct {
	// Complete are the sources that have answered, also if they found nothing.
	Complete []string
	// Partial are those that have answered in part, Missing those that have not.
	Partial, Missing []Gap
}

// Cover merges the outcomes of several sources, by their names. A source that asks
// for input is missing, one that failed after it had answered in full is complete.
func Cover(outcomes map[string]result.Outcome) Coverage {
	var c Coverage
	for _, source := range slices.Sorted(maps.Keys(outcomes)) {
		err := outcomes[source].AsError()
		if outcomes[source].Kind == result.KindInputRequired {
			err = errNeedsInput
		}
		c = c.with(source, toolerr.From(err))
	}
	return c
}

// with returns c with a source that failed with e, or answered if e is nil.
func (c Coverage) with(source string, e *toolerr.Error) Coverage {
	if e == nil || isWhole(e.Partial) {
		c.Complete = append(c.Complete, source)
		return c
	}
	gap := Gap{Source: source, Err: e, Step: stepFor(e)}
	if p := e.Partial; p != nil && (p.Processed > 0 || len(p.Results) > 0) {
		gap.Have, gap.Total = max(p.Processed, 0), max(p.Total, 0)
		c.Partial = append(c.Partial, gap)
	} else {
		c.Missing = append(c.Missing, gap)
	}
	return c
}

// isWhole reports whether all items came before the failure.
func isWhole(p *toolerr.Partial) bool {
	return p != nil && p.ContinueFrom == nil && p.Total > 0 && p.Processed >= p.Total
}

var errNeedsInput = toolerr.Validation("The source needs input before it can answer.").WithRetryable(false)

func stepFor(e *toolerr.Error) Step {
	switch {
	case e.Partial != nil && e.Partial.ContinueFrom != nil:
		return StepContinue
	case len(e.Alternatives) > 0:
		return StepOtherSource
	case e.Category == toolerr.CategoryValidation, e.Code == toolerr.CodeTimeout, e.Code == toolerr.CodeLimitExceeded:
		return StepNarrow
	}
	return StepGoOn
}

// Gaps returns the gaps of the sources, the partial ones first.
func (c Coverage) Gaps() []Gap { return slices.Concat(c.Partial, c.Missing) }

// String returns the sentences of all gaps for the final answer, one to a line, or a
// sentence that there is none.
func (c Coverage) String() string {
	gaps := c.Gaps()
	if len(gaps) == 0 {
		return "All sources have answered."
	}
	lines := make([]string, len(gaps))
	for i, g := range gaps {
		lines[i] = g.String()
	}
	return strings.Join(lines, "\n")
}

// String returns the gap as a sentence for the final answer. It holds no text of the
// failure, which is made for the model.
func (g Gap) String() string {
	why := reasonFor(g.Err)
	switch {
	case g.Have > 0 && g.Total > 0:
		return fmt.Sprintf("Of %s only %d of %d results are included, because %s.", g.Source, g.Have, g.Total, why)
	case g.Have > 0:
		return fmt.Sprintf("Of %s only the first %d results are included, because %s.", g.Source, g.Have, why)
	}
	return fmt.Sprintf("Nothing from %s is included, because %s.", g.Source, why)
}

// Why a source has not answered, for a person.
var (
	codeReasons = map[toolerr.Code]string{
		toolerr.CodeTimeout:     "it did not answer in time",
		toolerr.CodeUnavailable: "it was not available",
		toolerr.CodeRateLimited: "it allowed no more requests",
		toolerr.CodeCanceled:    "the search was cancelled",
		toolerr.CodeNotFound:    "what was asked for does not exist there",
	}
	categoryReasons = map[toolerr.Category]string{
		toolerr.CategoryValidation: "it could not make sense of the request",
		toolerr.CategoryBusiness:   "its rules do not allow it",
		toolerr.CategoryPermission: "access to it is missing",
	}
)

func reasonFor(e *toolerr.Error) string {
	if e == nil {
		return "it failed"
	}
	reason := cmp.Or(codeReasons[e.Code], categoryReasons[e.Category])
	if reason == "" && e.Category == toolerr.CategoryTransient && e.Partial != nil {
		return "it stopped before the end"
	}
	return cmp.Or(reason, "it failed")
}
