package servertest

import "slices"

// An Area is a group of kinds of findings with a common score.
type Area string

// The areas.
const (
	AreaAnswers    Area = "answers"    // every call is answered with a result
	AreaStructure  Area = "structure"  // all failures have the same structure
	AreaGuidance   Area = "guidance"   // every failure has a hint, and every tool declares whether its calls can be repeated
	AreaPromises   Area = "promises"   // the statements in failures are true: hints, effects, keys and waits
	AreaSecrecy    Area = "secrecy"    // no failure leaks internal information
	AreaEmptiness  Area = "emptiness"  // data, empty results and failures are distinguishable
	AreaValidation Area = "validation" // arguments that the input schema forbids are rejected
)

// A Score is the number of answers that passed in an area. A finding that no call shows
// counts as one failed answer.
type Score struct {
	Area   Area `json:"area"`   // the area of the score
	Passed int  `json:"passed"` // number of answers without a finding in the area
	Total  int  `json:"total"`  // number of answers that the area applies to
}

// Percent returns the share of passed answers in percent, rounded down. It is 100 if the
// area applies to no answer.
func (s Score) Percent() int {
	if s.Total == 0 {
		return 100
	}
	return 100 * s.Passed / s.Total
}

// areas has the answers that each area applies to.
var areas = [...]struct {
	area    Area
	applies func(*answer) bool
}{
	{AreaAnswers, func(*answer) bool { return true }},
	{AreaStructure, func(a *answer) bool { return a.failure != nil }},
	{AreaGuidance, func(a *answer) bool { return a.failure != nil }},
	{AreaPromises, func(a *answer) bool { return a.promised }},
	{AreaSecrecy, func(a *answer) bool { return a.failed }},
	{AreaEmptiness, func(a *answer) bool { return a.result != nil }},
	{AreaValidation, func(a *answer) bool { return a.probe.forbidden && a.result != nil }},
}

// scores counts the answers by area. An answer with a finding in an area always counts
// there.
func (c *checker) scores() []Score {
	list := make([]Score, len(areas))
	for i, area := range areas {
		list[i].Area = area.area
		for _, f := range c.general {
			if f.Kind.countsIn(area.area) {
				list[i].Total++
			}
		}
		for _, a := range c.answers {
			if slices.ContainsFunc(a.violations, func(v violation) bool { return v.kind.countsIn(area.area) }) {
				list[i].Total++
			} else if (!a.probe.compared || area.area == AreaPromises) && area.applies(a) {
				list[i].Total++
				list[i].Passed++
			}
		}
	}
	return list
}
