package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Both engines use this file. It makes the attempts at calls, asks package retry what to do next,
// and returns that in an engine's terms. The engine waits and stores the progress.

// A call is a series of calls to one tool, one for each of its orders. It can outlive the process
// that makes it.
type call struct {
	Tool   string   `json:"tool"`
	Orders []string `json:"orders"`
	// Never holds the codes of failures that the caller does not want retried.
	Never []string `json:"never,omitempty"`

	wait time.Duration // until a River job's next run
}

// keyed reports whether the tool takes an idempotency key.
func (c call) keyed() bool { return c.Tool == "process_refund" }

// A progress is what an engine stores about a call between its runs: River in the job's output,
// Temporal in the details of the activity's heartbeat.
type progress struct {
	// Runs is how many runs have ended. An earlier run that is not counted was killed; it may have
	// made calls that were not recorded.
	Runs    int      `json:"runs"`
	Killed  bool     `json:"killed,omitempty"`
	Answers []string `json:"answers,omitempty"` // for the orders that are done

	// The following fields describe the next order.
	Attempts  int            `json:"attempts,omitempty"`  // how many have ended
	Postponed int            `json:"postponed,omitempty"` // how many of them were only postponed
	Waited    time.Duration  `json:"waited,omitempty"`    // for how long the call was postponed
	Doubt     bool           `json:"doubt,omitempty"`     // one of them may have taken effect
	Verify    bool           `json:"verify,omitempty"`    // look before the next attempt
	Failed    *toolerr.Error `json:"failed,omitempty"`    // how the last one failed
}

// A step is what an engine does after an attempt.
type step struct {
	Text  string         // the answer, if the attempt succeeded
	Err   *toolerr.Error // the failure, if it did not
	Again bool           // run again after Wait; else the call has failed
	Wait  time.Duration
	Never bool // the caller does not want that: the code is listed
}

// postponed reports whether the call only has to wait, but for longer than [patience].
func (s step) postponed() bool { return s.Again && !s.Never && s.Wait > patience }

// benign reports whether operators can ignore a failure: a person handles a business refusal, and a
// long wait ends on its own.
func (s step) benign() bool {
	return s.Err.Category == toolerr.CategoryBusiness && s.Err.Effect != toolerr.EffectUnknown || s.postponed()
}

// patience limits the wait after an attempt counted as failed. It is the default MaxRetryAfter of
// retry.Policy. A call that has to wait longer is only postponed, by at most MaxWait in total.
const patience = 30 * time.Second

// callTime limits a call. A run ends before its engine takes the job from a silent worker, so a
// lookup finds what the run has done.
const callTime = 2 * time.Second

const maxAttempts = 3

// policy allows waits of up to a day if a server asks for them, and up to three days in total.
var policy = retry.Policy{
	MaxAttempts: maxAttempts, MaxRetryAfter: 24 * time.Hour, MaxWait: 3 * 24 * time.Hour,
	BaseDelay: 20 * time.Millisecond, ThrottledDelay: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
}

// errNoPerson is the failure if a tool asks for input.
var errNoPerson = toolerr.Business("The tool asks a question, and a queue has no person to answer it.").
	WithCode("input_required")

// A run is an engine's attempt to complete a call, in one process.
type run struct {
	call

	desk   string
	id     string // of the job, the same in all its runs. The keys are made from it
	number int    // from 1, over all processes
	began  time.Time
	save   func(progress) // stores the progress, in case the worker is killed
}

// advance calls the tool for the remaining orders until a call fails. Store the progress that it
// returns: the next run continues from there, even if this one was cut off.
func (r *run) advance(ctx context.Context, p progress) (step, progress) {
	if r.number > p.Runs+1 {
		p.Killed, p.Doubt, p.Verify = true, true, true
	}
	for _, order := range r.Orders[len(p.Answers):] {
		p.Runs = r.number - 1
		if r.save != nil && len(p.Answers) > 0 {
			r.save(p)
		}
		before := p
		s := r.attempt(ctx, &p, order)
		p.Runs = r.number
		if s.Err != nil && ctx.Err() != nil { // cut off
			before.Runs, before.Doubt, before.Verify = r.number, true, true
			return s, before
		}
		if s.Err != nil {
			if s.Never = slices.Contains(r.Never, codeOf(s.Err)); s.postponed() {
				p.Waited += s.Wait
				p.Postponed += min(1, len(s.Err.Attempted)) // 0 if it was a look-up
			}
			if done := len(p.Answers); done > 0 {
				s.Err = s.Err.WithPartial(&toolerr.Partial{Processed: done, Total: len(r.Orders), ContinueFrom: order})
			}
			if !s.Again || len(s.Err.Attempted) > 0 { // a look-up that is repeated does not replace the failure of the call
				p.Failed = s.Err
			}
			return s, p
		}
		p = progress{Runs: p.Runs, Killed: p.Killed, Answers: append(p.Answers, s.Text), Doubt: p.Killed, Verify: p.Killed}
	}
	return step{}, p
}

// attempt makes one attempt for an order. Without a key, it first looks for the result if an
// earlier attempt may have taken effect.
func (r *run) attempt(ctx context.Context, p *progress, order string) step {
	safety := retry.SafetyUnknown
	if r.keyed() {
		safety = retry.SafetyKeyed
	} else if p.Verify {
		switch out := r.callTool(ctx, "find_letter", order, retry.SafetyReadOnly); {
		case out.Kind == result.KindData:
			return step{Text: out.Text()}
		case out.Kind != result.KindEmpty:
			d := policy.Decide(out, retry.State{Waited: p.Waited, Safety: retry.SafetyReadOnly, Jitter: rand.Float64()})
			return step{
				Err:   cmp.Or(out.Err, errNoPerson).WithEffect(toolerr.EffectUnknown),
				Again: d.Action == retry.ActionRetry, Wait: d.Delay,
			}
		case p.Attempts-p.Postponed >= maxAttempts:
			return step{Err: p.Failed.WithEffect(toolerr.EffectNone)}
		}
		p.Doubt, p.Verify = false, false
	}
	p.Attempts++
	out := r.callTool(ctx, r.Tool, order, safety)
	d := policy.Decide(out, retry.State{
		Attempt: p.Attempts - p.Postponed, Waited: p.Waited, Safety: safety, Unsettled: p.Doubt, Jitter: rand.Float64(),
	})
	if d.Action == retry.ActionAccept {
		return step{Text: out.Text()}
	}
	e := cmp.Or(out.Err, errNoPerson)
	if p.Doubt = p.Doubt || d.Action == retry.ActionVerify ||
		e.Effect == toolerr.EffectUnknown; p.Doubt && e.Effect != toolerr.EffectApplied {
		e = e.WithEffect(toolerr.EffectUnknown)
	}
	p.Verify = d.Action == retry.ActionVerify && !r.keyed()
	e = e.WithAttempted(toolerr.Attempt{
		Tool: r.Tool, Arguments: map[string]any{"order": order}, Attempts: p.Attempts, Elapsed: time.Since(r.began),
		Category: e.Category, Code: e.Code, Effect: e.Effect,
	})
	return step{Err: e, Again: p.Verify || d.Action == retry.ActionRetry, Wait: d.Delay}
}

// callTool makes one call, on a session of its own. The key of a keyed call is made from the job and
// the order, so that a run that is replayed repeats its keys. The engine makes the retries: it needs
// the outcome as the server sent it, which OnDecision is called with.
func (r *run) callTool(ctx context.Context, tool, order string, safety retry.Safety) (out result.Outcome) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	client := &retry.Client{
		Key: func(context.Context, *mcp.CallToolParams) string { return r.id + "-" + order },
		Policy: retry.Policy{
			MaxAttempts: -1, Safety: safety, Logger: policy.Logger,
			OnDecision: func(o result.Outcome, _ retry.Decision) { out = o },
		},
	}
	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		worker := mcp.NewClient(&mcp.Implementation{Name: "worker", Version: "v1"}, client.Options(nil))
		return worker.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: r.desk, MaxRetries: -1}, nil)
	}
	defer func() { go func() { _ = client.Close() }() }() // a desk that still works on the call would delay it
	_, _ = client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"order": order}})
	if out.SessionLost = false; out.Result == nil { // the next run has a session of its own
		out.Err = out.Err.Resolve(toolerr.ToolAnnotations{
			ReadOnly:   safety == retry.SafetyReadOnly,
			Idempotent: safety == retry.SafetyKeyed,
		})
	}
	return out
}

// codeOf returns the code that engines show and compare, or "failed" if there is none.
func codeOf(e *toolerr.Error) string { return cmp.Or(string(e.Code), "failed") }

// report returns the line that the program prints about a call that has ended.
func report(c call, answers []string, failed *toolerr.Error) string {
	if failed == nil {
		return fmt.Sprintf("%s %s: %s", c.Tool, strings.Join(c.Orders, " "), strings.Join(answers, " "))
	}
	attempts := 0
	for _, a := range failed.Attempted {
		attempts += a.Attempts
	}
	text := fmt.Sprintf("%s %s: %s after %d attempts, effect %s: %s", c.Tool, strings.Join(c.Orders, " "),
		codeOf(failed), attempts, cmp.Or(failed.Effect, "not stated"), failed.Error())
	if part := failed.Partial; part != nil {
		text += fmt.Sprintf(" %d of %d done, continue from %s.", part.Processed, part.Total, part.ContinueFrom)
	}
	return text
}
