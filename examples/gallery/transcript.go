package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A transcript shows what was called, what came back, and what was decided: for
// reading, or as one JSON object for each scenario.
type transcript struct {
	w      io.Writer
	asJSON bool
	broken error // of the first write that failed

	line line
	next reply // what is known before it comes
}

// A line is what -json prints of a scenario.
type line struct {
	Scenario string  `json:"scenario"`
	Calls    []reply `json:"calls"`
	Wrong    string  `json:"wrong,omitempty"` // how it ended otherwise than it should
}

// A reply is what one attempt at a call came back with.
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
	t.printf("\n%d. %s\n", n, s.title)
}

// calling notes what is called next.
func (t *transcript) calling(tool string, args map[string]any) {
	t.next = reply{Tool: tool, Arguments: args}
	t.printf("   call    %s %s\n", tool, compact(args))
}

// decided is told what an attempt came back with, and what is done about it.
func (t *transcript) decided(o result.Outcome, d retry.Decision) {
	r := t.next
	r.Attempt, r.Kind, r.Text = d.Attempt, o.Kind.String(), wireText(o)
	r.Action, r.Reason, r.DelayMs = d.Action.String(), string(d.Reason), d.Delay.Milliseconds()
	if o.Err != nil {
		r.Category, r.Code, r.Retryable = string(o.Err.Category), string(o.Err.Code), o.Err.Retryable
	}
	t.line.Calls = append(t.line.Calls, r)
	t.printf("   %-7s %s\n   decide  %s: %s\n", r.Kind, r.Text, r.Action, d.Reason.Sentence())
	if d.Delay > 0 {
		t.printf("   wait    %v\n", d.Delay.Round(time.Millisecond))
	}
}

// say tells what is done with an answer.
func (t *transcript) say(format string, args ...any) {
	t.printf("   %s\n", fmt.Sprintf(format, args...))
}

// end is told how the scenario ended: err says what is wrong, if anything. Its own
// error is that of the writer.
func (t *transcript) end(err error) error {
	if err != nil {
		t.line.Wrong = err.Error()
		t.printf("   WRONG   %v\n", err)
	}
	if !t.asJSON {
		return t.broken
	}
	enc := json.NewEncoder(t.w)
	enc.SetEscapeHTML(false)
	return enc.Encode(t.line)
}

func (t *transcript) printf(format string, args ...any) {
	if t.asJSON || t.broken != nil {
		return
	}
	_, t.broken = fmt.Fprintf(t.w, format, args...)
}

// wireText is the text of a result as the server sent it, or the failure to get
// one.
func wireText(o result.Outcome) string {
	if o.Result == nil {
		return o.Text()
	}
	var texts []string
	for _, c := range o.Result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "?"
	}
	return strings.TrimSpace(b.String())
}
