package main

import (
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A transcript is a [harness.Transcript] that also builds the -json objects.
type transcript struct {
	*harness.Transcript

	line line
	next reply // the tool and arguments of the next call
}

// A line is the -json object of a scenario.
type line struct {
	Scenario string  `json:"scenario"`
	Calls    []reply `json:"calls"`
	Wrong    string  `json:"wrong,omitempty"` // how it ended, if not as expected
}

// A reply holds the answer to one attempt, and the decision about it.
type reply struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Attempt   int            `json:"attempt"`
	Kind      string         `json:"kind"`
	Category  string         `json:"category,omitempty"`
	Code      string         `json:"code,omitempty"`
	Retryable bool           `json:"retryable"`
	Text      string         `json:"text"` // as it was on the wire
	Action    string         `json:"action"`
	Reason    string         `json:"reason"`
	DelayMs   int64          `json:"delayMs"`
}

func (t *transcript) begin(n int, s scenario) {
	t.line = line{Scenario: s.name, Calls: []reply{}}
	t.Title(n, s.title)
}

// calling records the next call.
func (t *transcript) calling(tool string, args map[string]any) {
	t.next = reply{Tool: tool, Arguments: args}
}

// decided records and prints the outcome of an attempt and the decision about it.
func (t *transcript) decided(o result.Outcome, d retry.Decision) {
	r := t.next
	r.Attempt, r.Kind, r.Text = d.Attempt, o.Kind.String(), harness.WireText(o)
	r.Action, r.Reason, r.DelayMs = d.Action.String(), string(d.Reason), d.Delay.Milliseconds()
	if o.Err != nil {
		r.Category, r.Code, r.Retryable = string(o.Err.Category), string(o.Err.Code), o.Err.Retryable
	}
	t.line.Calls = append(t.line.Calls, r)
	t.Decided(o, d)
}

// end ends the scenario, which went wrong if err is not nil. It returns the writer's error.
func (t *transcript) end(err error) error {
	if err != nil {
		t.line.Wrong = err.Error()
		t.Wrong(err)
	}
	return t.End(t.line)
}
