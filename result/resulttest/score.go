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
	// AreaGuidance is that every failure says what to do next.
	AreaGuidance Area = "guidance"
	// AreaSecrecy is that no failure leaks.
	AreaSecrecy Area = "secrecy"
	// AreaEmptiness is that data, nothing and failures are told apart.
	AreaEmptiness Area = "emptiness"
	// AreaValidation is that what the input schema forbids is refused.
	AreaValidation Area = "validation"
)

// A Score says how many of the answers that an area is about were right in it.
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

// areas say which answers count in an area.
var areas = [...]struct {
	area  Area
	about func(*answer) bool
}{
	{AreaAnswers, func(*answer) bool { return true }},
	{AreaStructure, func(a *answer) bool { return a.failure != nil }},
	{AreaGuidance, func(a *answer) bool { return a.failure != nil }},
	{AreaSecrecy, func(a *answer) bool { return a.failed }},
	{AreaEmptiness, func(a *answer) bool { return a.result != nil }},
	{AreaValidation, func(a *answer) bool { return a.probe.forbidden && a.result != nil }},
}

// scores counts, of all answers, the right ones by area. An answer that is wrong in
// an area counts there in any case.
func scores(answers []*answer) []Score {
	list := make([]Score, len(areas))
	for i, area := range areas {
		list[i].Area = area.area
		for _, a := range answers {
			if a.wrongIn(area.area) {
				list[i].Total++
			} else if area.about(a) {
				list[i].Total++
				list[i].Passed++
			}
		}
	}
	return list
}

func (a *answer) wrongIn(area Area) bool {
	return slices.ContainsFunc(a.violations, func(v violation) bool {
		_, _, areas := explain(v.kind)
		return slices.Contains(areas, area)
	})
}
