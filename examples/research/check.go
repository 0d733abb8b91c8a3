package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// check returns an error for each result that is not as expected. It knows the collections, and how
// each subagent's search must end.
func (s *study) check(c *coordinator, coverage handoff.Coverage, report string) error {
	var wrong []error
	for _, a := range c.agents {
		err := errors.Join(checks[a.name](s, a), holds(a, c.query))
		if err != nil {
			a.print.Line("WRONG", strings.ReplaceAll(err.Error(), "\n", "; "))
			wrong = append(wrong, fmt.Errorf("%s: %w", a.name, err))
		}
	}
	return errors.Join(append(wrong, covers(coverage, report))...)
}

var checks = map[string]func(*study, *agent) error{
	// The coordinator does not see failures that the subagent recovers from.
	"papers": func(_ *study, a *agent) error {
		first := a.calls[0]
		if first.asked != 5 || first.failed != 2 {
			return fmt.Errorf("its source failed %d of %d requests, want 2 of 5", first.failed, first.asked)
		}
		if text := first.out.Text(); first.out.Err != nil || strings.Contains(text, `"attempted"`) {
			return errors.New("the coordinator was told of a failure: " + text)
		}
		return ends(a, result.KindData, retry.ActionAccept, 1)
	},
	// Each part has fifteen entries, from where the last part stopped.
	"rfcs": func(_ *study, a *agent) error {
		if err := ends(a, result.KindData, retry.ActionAccept, 4); err != nil {
			return err
		}
		for i, c := range a.calls[:3] {
			part := toolerr.Partial{}
			if c.out.Err != nil && c.out.Err.Partial != nil {
				part = *c.out.Err.Partial
			}
			got := fmt.Sprintf("%d of %d, continue from %v", part.Processed, part.Total, part.ContinueFrom)
			if want := fmt.Sprintf("%d of 50, continue from %d", 15*(i+1), 15*(i+1)+1); got != want {
				return fmt.Errorf("part %d is %s, want %s", i+1, got, want)
			}
		}
		return nil
	},
	// The subagent passes on a failure that it cannot recover from, with all that the coordinator
	// needs.
	"archive": func(s *study, a *agent) error {
		if err := ends(a, result.KindPartial, retry.ActionPropagate, 5); err != nil {
			return err
		}
		e := a.searched.Err
		got := fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Alternatives)
		if want := "transient unavailable false [search_mirror]"; got != want {
			return fmt.Errorf("handed up was %s, want %s", got, want)
		}
		if len(e.Attempted) != 1 {
			return fmt.Errorf("%d calls were attempted, want 1", len(e.Attempted))
		}
		tried := e.Attempted[0]
		got = fmt.Sprint(tried.Tool, " ", tried.Arguments, " ", tried.Attempts)
		if want := fmt.Sprint("archive ", map[string]any{"query": s.query, "from": 6, "limit": 5}, " ",
			s.attempts); got != want {
			return fmt.Errorf("attempted was %s, want %s", got, want)
		}
		return nil
	},
}

// ends returns an error if a search did not end as expected, or with another number of calls.
func ends(a *agent, kind result.Kind, action retry.Action, calls int) error {
	got := fmt.Sprintf("%s, %s, %d calls", a.searched.Kind, a.last.Action, len(a.calls))
	if want := fmt.Sprintf("%s, %s, %d calls", kind, action, calls); got != want {
		return fmt.Errorf("it ended with %s, want %s", got, want)
	}
	for _, c := range a.calls {
		if c.decision.Attempt != 1 {
			return fmt.Errorf("%s was called %d times for one answer", c.tool, c.decision.Attempt)
		}
	}
	return nil
}

// holds returns an error unless the results contain each expected entry once, and no others.
func holds(a *agent, query string) error {
	all, err := load(a.name)
	if err != nil {
		return err
	}
	if a.name == "archive" { // a page, and what the mirror has of the rest
		all = slices.DeleteFunc(all, func(e entry) bool { return e.Year > mirrorYear })
	}
	got, want := ids(read(a.out).Hits), ids(matching(all, query))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("there are %d entries, want %d, each once", len(got), len(want))
	}
	return nil
}

func ids(entries []entry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.ID
	}
	return out
}

// covers returns an error unless coverage and report state the expected gaps.
func covers(coverage handoff.Coverage, report string) error {
	var got []string
	for _, g := range coverage.Gaps() {
		if !strings.Contains(report, g.String()) {
			return fmt.Errorf("the report does not name the gap of %s", g.Source)
		}
		got = append(got, fmt.Sprintf("%s %d of %d, %s", g.Source, g.Have, g.Total, g.Step))
	}
	if want := []string{"archive 8 of 14, go_on"}; !slices.Equal(got, want) {
		return fmt.Errorf("the gaps are %q, want %q", got, want)
	}
	if got := fmt.Sprint(coverage.Complete); got != "[papers rfcs]" {
		return fmt.Errorf("complete are %s, want papers and rfcs", got)
	}
	return nil
}
