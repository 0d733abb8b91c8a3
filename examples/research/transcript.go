package main

import (
	"bytes"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

// A transcript shows what the coordinator called, what the subagent did internally, what it
// returned, and what was decided and why. Each subagent has its own, since they work concurrently.
type transcript struct {
	*harness.Transcript

	text *bytes.Buffer
}

// newTranscript returns a transcript whose text is printed later.
func newTranscript(output harness.Output, pen harness.Pen) *transcript {
	text := new(bytes.Buffer)
	return &transcript{output.Transcript(text, pen), text}
}

// steps describes the coordinator's steps in words.
var steps = map[handoff.Step]string{
	handoff.StepVerify:      "look up what was done",
	handoff.StepContinue:    "continue",
	handoff.StepOtherSource: "ask the alternatives",
	handoff.StepNarrow:      "ask for less",
	handoff.StepGoOn:        "go on without the rest",
}

func (t *transcript) gap(gap handoff.Gap, step handoff.Step) {
	t.Line("gap", gap.String())
	t.Line("step", steps[step])
}
