package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

// A transcript is made for reading: what the coordinator called, what the
// subagent did inside, what came back, what was decided and why. Each subagent has
// its own, since they work at the same time.
type transcript struct{ bytes.Buffer }

// How many bytes of an answer are shown. In a failure what was found comes last,
// so that the cut leaves the rest whole.
const (
	longestData    = 200
	longestFailure = 800
)

func (t *transcript) line(what, text string) {
	_, _ = fmt.Fprintf(t, "   %-8s %s\n", what, text)
}

func (t *transcript) calling(params *mcp.CallToolParams) {
	t.line("call", params.Name+" "+harness.Compact(params.Arguments))
}

func (t *transcript) decided(out result.Outcome, d retry.Decision) {
	text, longest := out.Text(), longestData
	if out.Err != nil {
		longest = longestFailure
	}
	if size := len(text); size > longest {
		text = fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:longest], ""), size)
	}
	t.line(out.Kind.String(), text)
	t.line("decide", fmt.Sprintf("%s, because %s", d.Action, d.Reason.Sentence()))
	if d.Delay > 0 {
		t.line("wait", d.Delay.Round(time.Millisecond).String())
	}
}

// steps are what the coordinator does, in words.
var steps = map[handoff.Step]string{
	handoff.StepContinue:    "continue",
	handoff.StepOtherSource: "ask the alternatives",
	handoff.StepNarrow:      "ask for less",
	handoff.StepGoOn:        "go on without the rest",
}

func (t *transcript) gap(gap handoff.Gap, step handoff.Step) {
	t.line("gap", gap.String())
	t.line("step", steps[step])
}
