package retry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Step is what a coordinator does about a [Gap], by the first that fits: to go on
// from where a source stopped, to use an alternative, to ask for less, to go on
// without it.
type Step string

const (
	// StepContinue calls the source again, from where it stopped: see [Resume].
	StepContinue Step = "continue"
	// StepOtherSource uses one of the failure's alternatives.
	StepOtherSource Step = "other_source"
	// StepNarrow asks the source for less, or for it in other words.
	StepNarrow Step = "narrow"
	// StepGoOn goes on without it, and says so.
	StepGoOn Step = "go_on"
)

// A Gap is what a source did not answer.
type Gap struct {
	// Source is the source's name.
	Source string
	// Have is how many items there are all the same, of Total; a Total of 0 is not
	// known. Both are 0 where nothing came.
	Have, Total int
	// Err is the failure. It is not nil.
	Err *toolerr.Error
	// Step is what to do about it.
	Step Step
}

// A Coverage is what several sources together have answered, and what not.
type Coverage struct {
	// Complete are the sources that have answered, those that found nothing too, by
	// name.
	Complete []string
	// Partial are those that have answered in part, Missing those that have not, by
	// name.
	Partial, Missing []Gap
}

// Cover merges the outcomes of several sources, by their names. A source that asks
// for input is missing, one that has answered in full before it failed is complete.
func Cover(outcomes map[string]result.Outcome) Coverage {
	var c Coverage
	for _, source := range slices.Sorted(maps.Keys(outcomes)) {
		err := outcomes[source].AsError()
		if err == nil && outcomes[source].Kind != result.KindInputRequired {
			c.Complete = append(c.Complete, source)
			continue
		}
		g := Gap{Source: source, Err: toolerr.From(err)}
		if p := partialOf(outcomes[source]); p != nil && p.ContinueFrom == nil && p.Total > 0 && p.Processed >= p.Total {
			c.Complete = append(c.Complete, source) // all of it came, whatever went wrong after
			continue
		}
		if g.Err == nil {
			g.Err = errNeedsInput
		}
		g.Step = stepFor(g.Err)
		if p := g.Err.Partial; p != nil && (p.Processed > 0 || len(p.Results) > 0) {
			g.Have, g.Total = max(p.Processed, 0), max(p.Total, 0)
			c.Partial = append(c.Partial, g)
		} else {
			c.Missing = append(c.Missing, g)
		}
	}
	return c
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

// String returns a sentence for each gap, one to a line, made for the final
// answer; or that there is none.
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

// String returns the gap as a sentence that can go into the final answer. It says
// nothing of the failure's own words, which are made for the model.
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

var reasons = map[toolerr.Code]string{
	toolerr.CodeTimeout:     "it did not answer in time",
	toolerr.CodeUnavailable: "it was not available",
	toolerr.CodeRateLimited: "it allowed no more requests",
	toolerr.CodeCanceled:    "the search was cancelled",
	toolerr.CodeNotFound:    "what was asked for does not exist there",
}

func reasonFor(e *toolerr.Error) string {
	if e == nil {
		return "it failed"
	}
	if why, ok := reasons[e.Code]; ok {
		return why
	}
	switch e.Category {
	case toolerr.CategoryValidation:
		return "it could not make sense of the request"
	case toolerr.CategoryBusiness:
		return "its rules do not allow it"
	case toolerr.CategoryPermission:
		return "access to it is missing"
	case toolerr.CategoryTransient:
		if e.Partial != nil {
			return "it stopped before the end"
		}
	}
	return "it failed"
}
