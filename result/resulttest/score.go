package resulttest

import "slices"

// An Area is a group of kinds of findings with a common score.
type Area string

// The areas.
const (
	// AreaAnswers requires that every call is answered with a result.
	AreaAnswers Area = "answers"
	// AreaStructure requires that all failures have the same structure.
	AreaStructure Area = "structure"
	// AreaGuidance requires that every failure has a hint, and that every tool declares
	// whether its calls can be repeated.
	AreaGuidance Area = "guidance"
	// AreaPromises requires that the statements in failures are true: hints, effects, keys
	// and waits.
	AreaPromises Area = "promises"
	// AreaSecrecy requires that no failure leaks internal information.
	AreaSecrecy Area = "secrecy"
	// AreaEmptiness requires that data, empty results and failures are distinguishable.
	AreaEmptiness Area = "emptiness"
	// AreaValidation requires that arguments that the input schema forbids are rejected.
	AreaValidation Area = "validation"
)

// A Score is the number of answers that passed in an area. A tool without annotations
// counts as one failed answer, and so does one that the session of [Options.Other] lacks.
type Score struct {
	// Area is the area of the score.
	Area Area `json:"area"`
	// Passed is the number of answers without a finding in the area.
	Passed int `json:"passed"`
	// Total is the number of answers that the area applies to.
	Total int `json:"total"`
}

// Percent returns the share of passed answers in percent, rounded down. It is 100 if the
// area applies to no answer.
func (s Score) Percent() int {
	if s.Total == 0 {
		return 100
	}
	return 100 * s.Passed / s.Total
}

// areas has the kinds of findings that count in each area, and the answers it applies to.
var areas = [...]struct {
	area    Area
	kinds   []Kind
	applies func(*answer) bool
}{
	{AreaAnswers, []Kind{KindServerDied, KindNoAnswer, KindProtocolError, KindUnreadable, KindUnexpected, KindEndlessList, KindDiffers}, func(*answer) bool { return true }},
	{AreaStructure, []Kind{KindBareText, KindNoCategory, KindNoRetryability, KindNoMessage, KindOtherShape}, func(a *answer) bool { return a.failure != nil }},
	{AreaGuidance, []Kind{KindBareText, KindNoHint, KindNoAnnotations, KindMasked}, func(a *answer) bool { return a.failure != nil }},
	{AreaPromises, []Kind{KindBadHint, KindFalseEffect, KindKeyIgnored, KindFalseWait}, func(a *answer) bool { return a.promised }},
	{AreaSecrecy, []Kind{KindLeak}, func(a *answer) bool { return a.failed }},
	{AreaEmptiness, []Kind{KindEmptyAsFailure, KindFailureAsSuccess, KindNullList}, func(a *answer) bool { return a.result != nil }},
	{AreaValidation, []Kind{KindAccepted}, func(a *answer) bool { return a.probe.forbidden && a.result != nil }},
}

// areaOf returns the first area in which a kind of finding counts.
func areaOf(kind Kind) Area {
	for _, area := range areas {
		if slices.Contains(area.kinds, kind) {
			return area.area
		}
	}
	return ""
}

// scores counts the answers by area. An answer with a finding in an area always counts
// there.
func (c *checker) scores() []Score {
	list := make([]Score, len(areas))
	for i, area := range areas {
		list[i].Area = area.area
		if slices.Contains(area.kinds, KindNoAnnotations) {
			list[i].Total += len(c.unannotated)
		}
		if slices.Contains(area.kinds, KindDiffers) {
			list[i].Total += len(c.missing)
		}
		for _, a := range c.answers {
			if slices.ContainsFunc(area.kinds, a.has) {
				list[i].Total++
			} else if (!a.probe.compared || area.area == AreaPromises) && area.applies(a) {
				list[i].Total++
				list[i].Passed++
			}
		}
	}
	return list
}
