package resulttest

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A Call is one call that [Check] made. Its texts are truncated, and secrets in them are
// masked.
type Call struct {
	// Tool is the tool that was called.
	Tool string `json:"tool"`
	// Probe describes the call, such as "without path".
	Probe string `json:"probe"`
	// Other means that the call was made on the session of [Options.Other].
	Other bool `json:"other,omitempty"`
	// Arguments are the call's arguments as JSON, at most 300 characters.
	Arguments string `json:"arguments"`
	// Kind is the kind of the answer, as read by [result.Parse].
	Kind result.Kind `json:"kind"`
	// Answer is the server's text, at most 300 characters, or "(none)" without an answer.
	Answer string `json:"answer"`
	// Seen is the text that an agent sees, at most 1,000 characters: [result.Outcome.Text].
	Seen string `json:"seen"`
	// ElapsedMs is the duration of the call in milliseconds, rounded up.
	ElapsedMs int64 `json:"elapsedMs"`
	// Outcome is the outcome for programs. Its secrets are not masked, and its Result has
	// only IsError, because the content may be large.
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
	if out.Result != nil { // programs check whether there is one
		call.Outcome.Result = &mcp.CallToolResult{IsError: out.Result.IsError}
	}
	return call
}
