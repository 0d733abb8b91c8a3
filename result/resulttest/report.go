package resulttest

import (
	"fmt"
	"strings"
)

// A Finding is one thing that is wrong with one tool, however many calls show it.
type Finding struct {
	// Tool is the tool, or empty where it is the server.
	Tool string `json:"tool"`
	// Kind is what is wrong.
	Kind Kind `json:"kind"`
	// Detail says what exactly was found in the first of the calls.
	Detail string `json:"detail"`
	// Why says in a sentence why that matters.
	Why string `json:"why"`
	// Mend says in a sentence how to mend it.
	Mend string `json:"mend"`
	// Calls describes the calls that show it.
	Calls []string `json:"calls"`
	// Arguments are those of the first of them, as JSON, cut to 300 letters.
	Arguments string `json:"arguments"`
	// Answer is what came back, cut to 300 letters, with the secrets that were found
	// in it masked.
	Answer string `json:"answer"`
}

// String returns the finding in a few lines.
func (f Finding) String() string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%s: %s: %s", f.where(), f.Kind, f.Detail)
	if len(f.Calls) > 0 {
		_, _ = fmt.Fprintf(&b, "\n    call: %s", f.Calls[0])
		if more := len(f.Calls) - 1; more > 0 {
			_, _ = fmt.Fprintf(&b, " (and %d more)", more)
		}
		_, _ = fmt.Fprintf(&b, "\n    arguments: %s\n    answer: %s", f.Arguments, f.Answer)
	}
	_, _ = fmt.Fprintf(&b, "\n    why: %s\n    mend: %s", f.Why, f.Mend)
	return b.String()
}

func (f Finding) where() string {
	if f.Tool == "" {
		return "the server"
	}
	return f.Tool
}

// A Report is what [Check] found.
type Report struct {
	// Findings are in the order of the server's tools; none means that nothing is
	// wrong with what was tried.
	Findings []Finding `json:"findings"`
	// Tools are all the tools of the server.
	Tools []ToolReport `json:"tools"`
	// Scores has one for each area.
	Scores []Score `json:"scores"`
}

// A ToolReport says what was tried of a tool.
type ToolReport struct {
	// Name is the tool's.
	Name string `json:"name"`
	// Calls is how many calls of it were made.
	Calls int `json:"calls"`
	// Skipped says why no call was made, or not all of them; else it is empty.
	Skipped string `json:"skipped,omitempty"`
}

// String returns the findings for reading, or says that there are none.
func (r *Report) String() string {
	calls := 0
	for _, t := range r.Tools {
		calls += t.Calls
	}
	if len(r.Findings) == 0 {
		return fmt.Sprintf("no finding in %d calls", calls)
	}
	parts := make([]string, 0, len(r.Findings)+1)
	for _, f := range r.Findings {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, "\n\n")
}

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
	// Total is how many answers there were; 0 where none was about the area.
	Total int `json:"total"`
}

// Percent returns the share of right answers, rounded down, and 100 where no
// answer was about the area.
func (s Score) Percent() int {
	if s.Total == 0 {
		return 100
	}
	return 100 * s.Passed / s.Total
}

// about reports whether an answer counts in an area.
func (a *answer) about(area Area) bool {
	switch area {
	case AreaStructure, AreaGuidance:
		return a.failure != nil
	case AreaSecrecy:
		return a.failed
	case AreaEmptiness:
		return a.result != nil
	case AreaValidation:
		return a.probe.forbidden && a.result != nil
	case AreaAnswers:
	}
	return true
}

// scores counts, of all answers, the right ones by area.
func scores(answers []*answer) []Score {
	list := []Score{{Area: AreaAnswers}, {Area: AreaStructure}, {Area: AreaGuidance}, {Area: AreaSecrecy}, {Area: AreaEmptiness}, {Area: AreaValidation}}
	for _, a := range answers {
		wrong := map[Area]bool{}
		for _, o := range a.wrong {
			_, _, areas := explain(o.kind)
			for _, area := range areas {
				wrong[area] = true
			}
		}
		for i, s := range list {
			switch {
			case wrong[s.Area]:
				list[i].Total++
			case a.about(s.Area):
				list[i].Total++
				list[i].Passed++
			}
		}
	}
	return list
}
