package resulttest

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A Call is one call that [Check] made. Its texts are cut, and the secrets that were
// found in them are masked.
type Call struct {
	// Tool is the tool that was called.
	Tool string `json:"tool"`
	// Probe describes the call, such as "without path".
	Probe string `json:"probe"`
	// Other says that it was made on the session of [Options.Other].
	Other bool `json:"other,omitempty"`
	// Arguments are those of the call, as JSON, at most 300 letters.
	Arguments string `json:"arguments"`
	// Kind is what came back, as package result reads it.
	Kind result.Kind `json:"kind"`
	// Answer is what the server wrote, at most 300 letters; "(none)" if nothing came.
	Answer string `json:"answer"`
	// Seen is what an agent would read of it, at most 1,000 letters: [result.Outcome.Text].
	Seen string `json:"seen"`
	// ElapsedMs is how long the answer took, in milliseconds, rounded up.
	ElapsedMs int64 `json:"elapsedMs"`
	// Outcome is what a program would act on. It is without its Result, which may be
	// large, and unmasked.
	Outcome result.Outcome `json:"-"`
}

// newCall describes an answer.
func newCall(a *answer, leaks []Leak) Call {
	out := result.Parse(a.result, a.err)
	call := Call{
		Tool: a.tool, Probe: a.probe.name, Other: a.other, Kind: out.Kind,
		Arguments: clip(withoutSecrets(jsonOf(a.probe.arguments), leaks), 300),
		Answer:    a.shown(leaks),
		Seen:      clip(withoutSecrets(out.Text(), leaks), 1000),
		ElapsedMs: int64((a.elapsed + time.Millisecond - 1) / time.Millisecond),
		Outcome:   out,
	}
	if out.Result != nil { // that one came is what decides
		call.Outcome.Result = &mcp.CallToolResult{IsError: out.Result.IsError}
	}
	return call
}
