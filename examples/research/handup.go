package main

import (
	"encoding/json"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// handUp returns the failure of a search that stopped: which request failed and how often, the
// results so far, and how to continue.
func (s *subagent) handUp(ask request, got found, err error) error {
	var report handoff.Report
	report.Add(s.name, ask, err)
	if s.mirror != nil {
		report.Alternatives = []string{"search_mirror"}
	}
	last := toolerr.From(err)
	if len(got.Hits) == 0 {
		return report.Failure(last.Message)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		return err
	}
	done := ask.From - 1
	report.Partial = &toolerr.Partial{Processed: done, Total: got.Total, Results: raw}
	hint := "Use what was found, and say what is missing."
	switch {
	case last.RetryAfter > 0: // a source that says when it will answer again is not lost
		report.Partial.ContinueFrom = ask.From
		hint = fmt.Sprintf("Wait for retryAfterMs, then call again with continue_from %d.", ask.From)
	case s.mirror != nil:
		hint = "Call search_mirror for the rest, and say what is missing all the same."
	}
	return report.Failure(fmt.Sprintf("%s Of %d hits %d were found before that.", last.Message, got.Total, done)).
		WithHint(hint)
}
