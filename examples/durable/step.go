package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// This file is what both engines share. It makes one attempt at a call, asks package retry
// for the next step, and returns it in an engine's terms. The engine waits and keeps the
// state; nothing here sleeps.

// A call is a tool call that outlives the process that makes it.
type call struct {
	Tool  string `json:"tool"`
	Order string `json:"order"`
	// Key makes a repeat safe: it is the job's own id. Without one, the call is verified
	// before it is repeated.
	Key string `json:"key,omitempty"`
	// Made is the number of attempts that the engine does not count.
	Made int `json:"made,omitempty"`
}

// A step is what an engine does after an attempt.
type step struct {
	Text   string         // the answer, when the call has succeeded
	Wait   time.Duration  // try again after it: snooze
	Verify bool           // find out first whether the call has taken effect
	Err    *toolerr.Error // the call has failed: cancel
}

var policy = retry.Policy{BaseDelay: 20 * time.Millisecond, ThrottledDelay: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}

// attempt makes the nth attempt at a call, counted over all processes. Began is the time
// of the first.
func attempt(ctx context.Context, desk string, c call, n int, began time.Time) step {
	arguments := map[string]any{"order": c.Order}
	safety := retry.SafetyUnknown
	if c.Key != "" {
		arguments["idempotency_key"], safety = c.Key, retry.SafetyKeyed
	}
	out := callTool(ctx, desk, c.Tool, arguments)
	d := policy.Decide(out, retry.State{Attempt: n, Now: time.Now(), Safety: safety, Jitter: rand.Float64()})
	switch d.Action {
	case retry.ActionAccept:
		return step{Text: out.Text()}
	case retry.ActionRetry:
		return step{Wait: d.Delay}
	case retry.ActionVerify:
		return step{Verify: true}
	}
	return step{Err: out.Err.WithAttempted(toolerr.Attempt{
		Tool: c.Tool, Arguments: map[string]any{"order": c.Order}, Attempts: n, Elapsed: time.Since(began),
		Category: out.Err.Category, Code: out.Err.Code,
	})}
}

// verify looks up whether a call has taken effect. Text is what it found, or empty.
func verify(ctx context.Context, desk string, c call) (text string, err error) {
	out := callTool(ctx, desk, "find_letter", map[string]any{"order": c.Order})
	switch out.Kind {
	case result.KindEmpty:
		return "", nil
	case result.KindData:
		return out.Text(), nil
	}
	return "", out.AsError()
}

// callTool makes one call on a session of its own.
func callTool(ctx context.Context, desk, tool string, arguments map[string]any) result.Outcome {
	client := mcp.NewClient(&mcp.Implementation{Name: "worker", Version: "v1"}, &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: desk, MaxRetries: -1}, nil)
	if err != nil {
		out := result.Parse(nil, err)
		out.Err = out.Err.WithEffect(toolerr.EffectNone) // nothing was sent
		return out
	}
	defer func() { _ = session.Close() }()
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments}))
}

// envelope returns a failure in the form in which an engine stores it.
func envelope(e *toolerr.Error) json.RawMessage { return e.AppendJSON(nil) }

// report returns the line that the program prints of a call that has ended.
func report(c call, text string, failed *toolerr.Error) string {
	if failed == nil {
		return fmt.Sprintf("%s %s: %s", c.Tool, c.Order, text)
	}
	attempts := 0
	for _, a := range failed.Attempted {
		attempts += a.Attempts
	}
	return fmt.Sprintf("%s %s: %s after %d attempts: %s", c.Tool, c.Order, cmp.Or(string(failed.Code), "failed"), attempts, failed.Error())
}
