// Package handoff reports lasting failures to the calling agent. It turns the failures of several
// calls into one failure or a summary.
//
// A subagent that is an MCP tool returns a [Report] of its attempts as its error:
//
//	out, decision := client.CallTool(ctx, params)
//	if decision.Action == retry.ActionAccept {
//		return out.CallToolResult(), nil, nil
//	}
//	err := out.AsError()
//	if decision.Action == retry.ActionProvideInput { // there is nobody to ask, and no error
//		err = toolerr.FailedPrecondition("The archive asks a question first.", "")
//	}
//	report := handoff.Report{Alternatives: []string{"search_library"}}
//	report.Add(params.Name, params.Arguments, err)
//	return nil, nil, report.Failure("The archive could not be searched.")
//
// This handles every action: the coordinator finds the category, the customer's message, the effect
// and the results of a part in the report, and decides by them. Before it hands up a fix_input, a
// subagent with a model of its own lets it correct the arguments.
//
// A coordinator merges the outcomes of several sources with [Cover]. The [Coverage] lists the gaps.
// Each [Gap] names the [Step] to take, and gives a sentence for the final answer:
//
//	coverage := handoff.Cover(map[string]result.Outcome{"archive": archive, "library": library})
//	for _, gap := range coverage.Gaps() {
//		fmt.Println(gap.Step, gap)
//	}
package handoff
