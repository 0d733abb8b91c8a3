// Package handoff is what an agent hands up if retrying has ended: the failures of
// its calls come in, and a failure or a summary for the agent above leaves.
//
// A subagent that could not finish returns a [Report] of what it tried, as the error
// of the tool that it is:
//
//	out, decision := client.CallTool(ctx, params)
//	if decision.Action == retry.ActionPropagate {
//		report := handoff.Report{Alternatives: []string{"search_library"}}
//		report.Add(params.Name, params.Arguments, out.AsError())
//		return nil, nil, report.Failure("The archive could not be searched.")
//	}
//
// A coordinator that asks several sources merges their outcomes with [Cover]. The
// [Coverage] says what is missing, which [Step] to take about each [Gap], and what
// the final answer should say of it:
//
//	coverage := handoff.Cover(map[string]result.Outcome{"archive": archive, "library": library})
//	for _, gap := range coverage.Gaps() {
//		fmt.Println(gap.Step, gap)
//	}
//
// # What is not in it
//
// The arguments of a call are masked if their names look secret, and the sentences
// about gaps hold no text of a server.
package handoff
