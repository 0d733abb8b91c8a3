package main

import (
	"fmt"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

// areas describe for -help and for reports what is right in each area.
var areas = []struct {
	area  resulttest.Area
	right string
}{
	{resulttest.AreaAnswers, "every call is answered with a result: no crash, no hang, no protocol error"},
	{resulttest.AreaStructure, "every failure is JSON with a category, a retryable flag and a message, with the same names in all tools"},
	{resulttest.AreaGuidance, "every failure has a hint with the next step, and every tool states whether a repeat is safe: by annotations, or by taking a key"},
	{resulttest.AreaPromises, "failures keep their promises: hints can be followed, effects are true, keys and waits work"},
	{resulttest.AreaSecrecy, "no failure shows stack traces, paths, hosts or secrets"},
	{resulttest.AreaEmptiness, "data, empty answers and failures are distinct, and empty lists are []"},
	{resulttest.AreaValidation, "arguments that the input schema forbids are refused"},
}

// about returns what is right in an area.
func about(area resulttest.Area) string {
	for _, a := range areas {
		if a.area == area {
			return a.right
		}
	}
	return ""
}

// scoring returns the part of -help that explains the scores.
func scoring() string {
	var b strings.Builder
	_, _ = b.WriteString("\nThe score of an area is the percentage of answers that are right in it. A tool\nwithout annotations is one wrong answer in guidance:\n")
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
	_, _ = b.WriteString("The overall score is the mean of the areas that have answers.\n")
	return b.String()
}
