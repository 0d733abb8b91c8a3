package main

import (
	"fmt"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// areas describe for -help and for reports what is right in each area.
var areas = []struct {
	area  servertest.Area
	right string
}{
	{servertest.AreaAnswers, "every call is answered with a result: no crash, no hang, no protocol error"},
	{servertest.AreaStructure, "every failure is JSON with a category, a retryable flag and a message, with the same names in all tools"},
	{servertest.AreaGuidance, "every failure has a hint with the next step, and every tool states whether a repeat is safe: by annotations, or by taking a key"},
	{servertest.AreaPromises, "failures keep their promises: hints can be followed, effects are true, and keys work"},
	{servertest.AreaSecrecy, "no failure shows stack traces, paths, hosts or secrets"},
	{servertest.AreaEmptiness, "data, empty answers and failures are distinct, and empty lists are []"},
	{servertest.AreaValidation, "arguments that the input schema forbids are refused"},
}

// about returns what is right in an area.
func about(area servertest.Area) string {
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
