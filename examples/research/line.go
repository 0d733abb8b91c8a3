package main

import (
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A line is the -json object of a subagent: how its search ended, what it passed on, and what the
// coordinator has in the end.
type line struct {
	Agent        string    `json:"agent"`
	Calls        int       `json:"calls"`       // by the coordinator
	SourceAsked  int       `json:"sourceAsked"` // requests by the subagent to its source
	SourceFailed int       `json:"sourceFailed"`
	Kind         string    `json:"kind"`
	Category     string    `json:"category"`
	Code         string    `json:"code"`
	Retryable    bool      `json:"retryable"`
	Action       string    `json:"action"`
	Attempted    []attempt `json:"attempted"`
	Alternatives []string  `json:"alternatives"`
	Items        int       `json:"items"`
	Total        int       `json:"total"`
	WaitedMs     int64     `json:"waitedMs"`
}

// An attempt is a failed request.
type attempt struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Attempts  int            `json:"attempts"`
	Category  string         `json:"category"`
	Code      string         `json:"code"`
}

func newLine(a *agent) line {
	got := read(a.out)
	l := line{
		Agent: a.name, Calls: len(a.calls), Kind: a.searched.Kind.String(), Action: a.last.Action.String(),
		Attempted: []attempt{}, Alternatives: []string{}, Items: len(got.Hits), Total: got.Total,
	}
	for _, c := range a.calls {
		l.SourceAsked += c.asked
		l.SourceFailed += c.failed
		l.WaitedMs += (c.decision.Waited + c.decision.Delay).Milliseconds()
	}
	if e := a.searched.Err; e != nil {
		l.Category, l.Code, l.Retryable = string(e.Category), string(e.Code), e.Retryable
		l.Alternatives = append(l.Alternatives, e.Alternatives...)
		for _, tried := range e.Attempted {
			l.Attempted = append(l.Attempted, newAttempt(tried))
		}
	}
	return l
}

func newAttempt(a toolerr.Attempt) attempt {
	return attempt{
		Tool: a.Tool, Arguments: a.Arguments, Attempts: a.Attempts, Category: string(a.Category),
		Code: string(a.Code),
	}
}

// A lastLine is the -json object of the report.
type lastLine struct {
	Query    string    `json:"query"`
	Items    int       `json:"items"`
	Complete []string  `json:"complete"`
	Gaps     []gapLine `json:"gaps"`
	Report   string    `json:"report"`
}

type gapLine struct {
	Source   string `json:"source"`
	Have     int    `json:"have"`
	Total    int    `json:"total"`
	Step     string `json:"step"`
	Sentence string `json:"sentence"`
}

func newLastLine(c *coordinator, coverage handoff.Coverage, report string) lastLine {
	l := lastLine{Query: c.query, Complete: coverage.Complete, Gaps: []gapLine{}, Report: report}
	for _, a := range c.agents {
		l.Items += len(read(a.out).Hits)
	}
	for _, g := range coverage.Gaps() {
		l.Gaps = append(l.Gaps, gapLine{g.Source, g.Have, g.Total, string(g.Step), g.String()})
	}
	return l
}
