package resulttest

import "slices"

// An Area is a group of kinds of findings that is scored together.
type Area string

// The areas.
const (
	// AreaAnswers is that every call is answered with a result.
	AreaAnswers Area = "answers"
	// AreaStructure is that every failure is structured, and all of them alike.
	AreaStructure Area = "structure"
	// AreaGuidance is that every failure says what to do next, and every tool whether a
	// repeat of its calls is safe.
	AreaGuidance Area = "guidance"
	// AreaPromises is that what failures promise is so: advice, effects, keys and waits.
	AreaPromises Area = "promises"
	// AreaSecrecy is that no failure leaks.
	AreaSecrecy Area = "secrecy"
	// AreaEmptiness is that data, nothing and failures are told apart.
	AreaEmptiness Area = "emptiness"
	// AreaValidation is that what the input schema forbids is refused.
	AreaValidation Area = "validation"
)

// A Score says how many of the answers that an area is about were right in it. A tool
// without annotations counts as one wrong answer, and so does one that the session of
// [Options.Other] lacks.
type Score struct {
	// Area is what the score is about.
	Area Area `json:"area"`
	// Passed is how many answers were right.
	Passed int `json:"passed"`
	// Total is how many answers there were; 0 if none was about the area.
	Total int `json:"total"`
}

// Percent returns the share of right answers, rounded down, and 100 if no answer
// was about the area.
func (s Score) Percent() int {
	if s.Total == 0 {
		return 100
	}
	return 100 * s.Passed / s.Total
}

// areas say which kinds of findings count in an area, and which answers it is about.
var areas = [...]struct {
	area  Area
	kinds []Kind
	about func(*answer) bool
}{
	{AreaAnswers, []Kind{KindServerDied, KindNoAnswer, KindProtocolError, KindUnreadable, KindUnexpected, KindEndlessList, KindDiffers}, func(*answer) bool { return true }},
	{AreaStructure, []Kind{KindBareText, KindNoCategory, KindNoRetryability, KindNoMessage, KindOtherShape}, func(a *answer) bool { return a.failure != nil }},
	{AreaGuidance, []Kind{KindBareText, KindNoHint, KindNoAnnotations, KindMasked}, func(a *answer) bool { return a.failure != nil }},
	{AreaPromises, []Kind{KindBadHint, KindFalseEffect, KindKeyIgnored, KindFalseWait}, func(a *answer) bool { return a.promised }},
	{AreaSecrecy, []Kind{KindLeak}, func(a *answer) bool { return a.failed }},
	{AreaEmptiness, []Kind{KindEmptyAsFailure, KindFailureAsSuccess, KindNullList}, func(a *answer) bool { return a.result != nil }},
	{AreaValidation, []Kind{KindAccepted}, func(a *answer) bool { return a.probe.forbidden && a.result != nil }},
}

// areaOf is the first area in which a kind of finding counts.
func areaOf(kind Kind) Area {
	for _, area := range areas {
		if slices.Contains(area.kinds, kind) {
			return area.area
		}
	}
	return ""
}

// scores counts, of all answers, the right ones by area. An answer that is wrong in
// an area counts there in any case.
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
			} else if (!a.probe.compared || area.area == AreaPromises) && area.about(a) {
				list[i].Total++
				list[i].Passed++
			}
		}
	}
	return list
}
