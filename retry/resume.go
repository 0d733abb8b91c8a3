package retry

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// maxParts ends an answer that has no end. Chosen: of fifty items each, it is fifty
// thousand.
const maxParts = 1000

// maxWaited is how long is waited in all, between the parts and between the attempts for
// them. Chosen: twenty of the longest pauses that a Policy allows by default, and more
// than a user sits through.
const maxWaited = 10 * time.Minute

// Resume makes a call, and if the result is partial continues from where the tool
// stopped, until all of it is there: continueFrom is passed in the argument of that
// name. Call makes one call: [Client.CallTool], or a function around [CallTool].
//
//	out, decision := retry.Resume(ctx, client.CallTool, params, "continue_from")
//
// The outcome is data with the results of all parts merged, in the order in which
// they came: lists are joined, and objects member by member, so that the parts are
// best of the same shape as the whole answer. A tool may return each part alone, or
// with each part all that came before it. If it fails on the way, or makes no
// progress, the outcome is a partial failure with all results so far, so that
// nothing is lost. So it is after 1,000 parts, or a million values of results, a value
// for each 64 bytes at least; the part that brings more than those is not decoded. A part costs the same however many came before it.
//
// Resume waits for ten minutes in all, between the parts if the tool asks for that and
// between the attempts for them; after that no part is asked for, and the reason is
// [ReasonWait]. If the context ends, Resume returns at once; if the next
// part would be asked for after its deadline, it returns without that wait, and the
// reason is [ReasonDeadline]. Params are not changed.
func Resume(ctx context.Context, call func(context.Context, *mcp.CallToolParams) (result.Outcome, Decision), params *mcp.CallToolParams, argument string) (result.Outcome, Decision) {
	if params == nil {
		params = &mcp.CallToolParams{}
	}
	next := *params
	var accumulated parts
	var waited time.Duration // between attempts and parts
	for {
		out, d := call(ctx, &next)
		d.Delay = max(d.Delay, 0) // of a call that is not ours
		d.Waited += waited
		if out.Kind == result.KindData || out.Kind == result.KindEmpty {
			return accumulated.whole(out), d
		}
		if out.Err == nil || out.Err.Partial == nil {
			return accumulated.interrupted(out), d
		}
		p := out.Err.Partial
		progress := accumulated.add(p)
		if p.ContinueFrom == nil || d.Action != ActionFixInput {
			return accumulated.interrupted(out), d
		}
		arguments, ok := membersOf(params.Arguments)
		if !progress || !ok || argument == "" || accumulated.n >= maxParts {
			return accumulated.interrupted(out), d.stopped(ReasonNoProgress)
		}
		if reason, ok := pause(ctx, d.Delay, d.Waited); !ok {
			return accumulated.interrupted(out), d.stopped(reason)
		}
		waited = d.Waited + d.Delay
		arguments[argument] = p.ContinueFrom
		next.Arguments = arguments
	}
}

// pause waits before the next part, unless there is no time for it.
func pause(ctx context.Context, d, waited time.Duration) (Reason, bool) {
	deadline, ok := ctx.Deadline()
	switch {
	case ctx.Err() == nil && d > maxWaited-waited:
		return ReasonWait, false
	case ctx.Err() == nil && ok && !time.Now().Add(d).Before(deadline):
		return ReasonDeadline, false
	case sleep(ctx, d):
		return "", true
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ReasonDeadline, false
	}
	return ReasonCanceled, false
}

// stopped returns the decision if the next part is not asked for.
func (d Decision) stopped(reason Reason) Decision {
	d.Action, d.Reason, d.Delay = ActionPropagate, reason, 0
	return d
}
