package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A coordinator sends one query to all subagents, and decides what to do about missing results. It
// stands for the program around a model: a model would choose the next step, but the coordinator
// follows the envelope.
type coordinator struct {
	query  string
	agents []*agent
}

// searchAll searches with all subagents in parallel. If one fails, the others go on.
func (c *coordinator) searchAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, a := range c.agents {
		all.Go(func() { a.search(ctx, c.query) })
	}
	all.Wait()
}

// coverage returns which subagents have answered completely, and the gaps of the others.
func (c *coordinator) coverage() handoff.Coverage {
	outcomes := map[string]result.Outcome{}
	for _, a := range c.agents {
		outcomes[a.name] = a.out
	}
	return handoff.Cover(outcomes)
}

// fillGaps takes one more step for each gap.
func (c *coordinator) fillGaps(ctx context.Context) {
	for _, gap := range c.coverage().Gaps() {
		for _, a := range c.agents {
			if a.name == gap.Source {
				c.fill(ctx, a, gap)
			}
		}
	}
}

func (c *coordinator) fill(ctx context.Context, a *agent, gap handoff.Gap) {
	a.print.gap(gap, gap.Step)
	var more []entry
	switch gap.Step {
	case handoff.StepOtherSource:
		for _, other := range gap.Err.Alternatives {
			if a.has(other) { // the others are words for a model
				more = append(more, c.ask(ctx, a, other)...)
			}
		}
	case handoff.StepNarrow:
		more = c.narrow(ctx, a, "search", gap.Err)
	case handoff.StepContinue: // search has continued it as far as possible
	case handoff.StepVerify, handoff.StepGoOn: // a search changes nothing
		return
	}
	a.add(more)
	for _, left := range handoff.Cover(map[string]result.Outcome{a.name: a.out}).Gaps() {
		a.print.gap(left, handoff.StepGoOn)
	}
}

// ask sends the query to another tool of the subagent, and narrows it if the tool asks for that.
func (c *coordinator) ask(ctx context.Context, a *agent, tool string) []entry {
	hits, out := a.hitsOf(ctx, tool, c.query)
	for _, gap := range handoff.Cover(map[string]result.Outcome{tool: out}).Gaps() {
		a.print.gap(gap, gap.Step)
		if gap.Step == handoff.StepNarrow {
			hits = append(hits, c.narrow(ctx, a, tool, gap.Err)...)
		}
	}
	return hits
}

// narrow sends each query that the failure suggests.
func (c *coordinator) narrow(ctx context.Context, a *agent, tool string, e *toolerr.Error) []entry {
	if e.Field != "query" {
		return nil
	}
	var all []entry
	for _, query := range e.Suggestions {
		hits, _ := a.hitsOf(ctx, tool, query)
		all = append(all, hits...)
	}
	return all
}

// hitsOf calls a tool with a query and returns its hits.
func (a *agent) hitsOf(ctx context.Context, tool, query string) ([]entry, result.Outcome) {
	out, _ := a.call(ctx, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"query": query}})
	return read(out).Hits, out
}

// read returns the results of an outcome, complete or partial.
func read(out result.Outcome) found {
	var got found
	if out.Err != nil && out.Err.Partial != nil {
		if json.Unmarshal(out.Err.Partial.Results, &got) != nil {
			return found{}
		}
		return got
	}
	if out.Kind == result.KindData {
		if data, err := result.Decode[found](out); err == nil {
			return data
		}
	}
	return found{}
}

// add merges more hits into the results, without duplicates, and removes the alternatives.
func (a *agent) add(more []entry) {
	e := a.out.Err.WithAlternatives()
	got := read(a.out)
	before := len(got.Hits)
	for _, m := range more {
		if !slices.ContainsFunc(got.Hits, func(known entry) bool { return known.ID == m.ID }) {
			got.Hits = append(got.Hits, m)
		}
	}
	a.print.Line("merge", fmt.Sprintf("%d hits, %d of them new", len(more), len(got.Hits)-before))
	if got.Total > 0 && len(got.Hits) == got.Total { // nothing is missing any more
		a.out = result.Parse(result.OK(got), nil)
		return
	}
	if raw, err := json.Marshal(got); err == nil && len(got.Hits) > 0 {
		a.out.Kind = result.KindPartial
		e = e.WithPartial(&toolerr.Partial{Processed: len(got.Hits), Total: got.Total, Results: raw})
	}
	a.out.Err = e
}
