package retry

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/parts"
)

// maxWaited is the total wait beyond which no part is requested, chosen as twenty times MaxRetryAfter's default.
const maxWaited = 10 * time.Minute

// Resume makes a call and continues a partial result until it is complete, whatever stopped it,
// with the result's continueFrom in the named argument. Call is [Client.CallTool], or a function
// that calls [CallTool] with its context. Further parts get keys derived from the first part's and
// the position, so that repeating the whole chain with the first key has no second effect.
//
// The outcome is data with the results of all parts in order, or empty. Lists are concatenated,
// objects that hold lists are merged by member, and other values become a list. A part may repeat
// all earlier ones. If a later call fails, makes no progress, or follows 1,000 parts, 64 MiB or ten
// minutes of waits, the outcome is a partial failure with all results so far, the worst effect, the
// first part's key, and where to continue. If it is unknown whether an item was done, the action is
// [ActionVerify]. Resume does not change params, and is as safe for concurrent use as call.
func Resume(
	ctx context.Context, call func(context.Context, *mcp.CallToolParams) (result.Outcome, Decision),
	params *mcp.CallToolParams, argument string,
) (result.Outcome, Decision) {
	next := *cmp.Or(params, new(mcp.CallToolParams))
	first, key, _ := keyIn(next.Arguments, defaultKeyArgument)
	accumulated := parts.From(first[argument])
	c := &chain{tool: next.Name, argument: defaultKeyArgument, key: key}
	ctx = context.WithValue(ctx, chainKey{}, c)
	var waited time.Duration // between attempts and parts
	for {
		out, d := call(ctx, &next)
		d.Delay = max(d.Delay, 0) // another function may return a negative one
		d.Waited += waited
		if out.Kind == result.KindData || out.Kind == result.KindEmpty {
			return accumulated.Whole(out), d
		}
		if out.Err == nil || out.Err.Partial == nil {
			return accumulated.Interrupted(out, c.key), d
		}
		p, progress := out.Err.Partial, accumulated.Add(out.Err)
		if p.ContinueFrom == nil || d.Action != ActionFixInput {
			return accumulated.Interrupted(out, c.key), d
		}
		reason := ReasonNoProgress
		if progress && first != nil && argument != "" {
			reason = awaitPart(ctx, d.Delay, d.Waited)
		}
		if reason != "" {
			d.Action, d.Reason, d.Delay = ActionPropagate, reason, 0
			return accumulated.Interrupted(out, c.key), d
		}
		waited = d.Waited + d.Delay
		arguments := maps.Clone(first)
		arguments[argument] = p.ContinueFrom
		if c.key != "" {
			position, _ := jsonvalue.Canonical(p.ContinueFrom) // it was encoded: else the part is no progress
			sum := sha256.Sum256(append([]byte(c.key+"\x00"), position...))
			arguments[c.argument] = formatKey([16]byte(sum[:16]))
		}
		next.Arguments = arguments
	}
}

// awaitPart waits before the next part. It returns why not to request the part, or "".
func awaitPart(ctx context.Context, d, waited time.Duration) Reason {
	deadline, ok := ctx.Deadline()
	isLate := ok && !time.Now().Add(d).Before(deadline)
	switch {
	case ctx.Err() == nil && d > maxWaited-waited:
		return ReasonWaitTooLong
	case ctx.Err() == nil && isLate:
		return ReasonPastDeadline
	case !(&loop{ctx: ctx}).wait(d):
		return reasonOf(ctx.Err())
	}
	return ""
}

// A chain identifies the call that [Resume] continues. The context of any other call has none.
type chain struct {
	tool     string
	argument string // the argument with the key
	key      string // the key of the first part; "" if it has none
}

type chainKey struct{}
