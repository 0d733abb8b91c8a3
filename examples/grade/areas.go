package main

import (
	"fmt"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

// areas say for -help and for people what is right in each area.
var areas = []struct {
	area  resulttest.Area
	right string
}{
	{resulttest.AreaAnswers, "every call is answered with a result: the server neither dies nor stalls, and throws no protocol error"},
	{resulttest.AreaStructure, "every failure is JSON with a category, a retryability and a message, and all tools name them alike"},
	{resulttest.AreaGuidance, "every failure has a hint that says what to do next, and every tool says whether a repeat is safe: by annotations, or by taking a key"},
	{resulttest.AreaPromises, "what failures promise is so: hints can be followed, effects are true, keys and waits work"},
	{resulttest.AreaSecrecy, "no failure shows stack traces, paths, hosts or secrets"},
	{resulttest.AreaEmptiness, "data, nothing and failures are told apart, empty lists are []"},
	{resulttest.AreaValidation, "what the input schema forbids is refused"},
}

// about says what is right in an area.
func about(area resulttest.Area) string {
	for _, a := range areas {
		if a.area == area {
			return a.right
		}
	}
	return ""
}

// scoring is the part of -help that says how the scores are made.
func scoring() string {
	var b strings.Builder
	_, _ = b.WriteString("\nThe score of an area is the share of the answers that were right in it; a tool\nwithout annotations counts as one wrong answer:\n")
	for _, a := range areas {
		line := fmt.Sprintf("  %-11s", a.area)
		for word := range strings.FieldsSeq(a.right) {
			if len(line)+1+len(word) > 80 {
				_, _ = b.WriteString(line + "\n")
				line = strings.Repeat(" ", 13)
			}
			line += " " + word
		}
		_, _ = b.WriteString(line + "\n")
	}
	_, _ = b.WriteString("The overall score is the mean of those that an answer was about.\n")
	return b.String()
}
