package retry

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
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

// parts are the results so far.
type parts struct {
	n       int
	values  int
	merged  any             // decoded JSON, numbers as they were; it grows in place
	rest    json.RawMessage // a last part that is too large to be decoded
	done    int             // items that are processed, as the tool counts them
	total   int
	cursors map[string]bool
}

// add adds a part, and reports whether it makes progress: it holds something new, and
// continues where the tool has not been.
func (ps *parts) add(p *toolerr.Partial) bool {
	if !ps.hasRoomFor(p.Results) {
		ps.n++
		ps.done, ps.total = max(ps.done, p.Processed), max(ps.total, p.Total)
		return false
	}
	part, ok := jsonvalue.Decode(p.Results)
	switch {
	case !ok:
	case ps.n > 0 && p.Processed > ps.done && length(part) == p.Processed && startsWith(part, ps.merged):
		ps.merged = part // it holds all that came before it
	default:
		ps.merged = merge(ps.merged, part)
	}
	further := length(part) > 0 || p.Processed > ps.done
	ps.n++
	ps.done = max(ps.done, p.Processed)
	ps.total = max(ps.total, p.Total)
	cursor, err := jsonvalue.Marshal(p.ContinueFrom)
	if err != nil || ps.cursors[string(cursor)] || !further {
		return false
	}
	if ps.cursors == nil {
		ps.cursors = map[string]bool{}
	}
	ps.cursors[string(cursor)] = true
	return true
}

// whole returns the outcome when the last part has come.
func (ps *parts) whole(out result.Outcome) result.Outcome {
	if ps.n == 0 {
		return out
	}
	if out.Kind == result.KindData {
		raw, err := result.Decode[json.RawMessage](out)
		if err == nil && !ps.hasRoomFor(raw) {
			joined, _ := ps.results()
			return result.Parse(result.OK(joined), nil)
		}
		last := dataOf(raw, err == nil, out)
		all := ps.total > 0 && length(last) == ps.total // all of it once more, and not the rest alone
		if all || ps.total == 0 && length(last) > length(ps.merged) && startsWith(last, ps.merged) {
			ps.merged = last
		} else {
			ps.merged = merge(ps.merged, last)
		}
	}
	return result.Parse(result.OK(ps.merged), nil)
}

// dataOf returns the data of an outcome as decoded JSON, or its text. A float64 has not the
// digits of every number.
func dataOf(raw json.RawMessage, isJSON bool, out result.Outcome) any {
	if data, ok := jsonvalue.Decode(raw); isJSON && ok {
		return data
	}
	return out.Text()
}

// interrupted returns the outcome if no more parts come: its failure, with all the
// results so far.
func (ps *parts) interrupted(out result.Outcome) result.Outcome {
	if ps.n == 0 || out.Err == nil {
		return out
	}
	p := toolerr.Partial{}
	if out.Err.Partial != nil {
		p = *out.Err.Partial
	}
	p.Processed, p.Total = max(ps.done, length(ps.merged), 0), ps.total
	if raw, ok := ps.results(); ok {
		p.Results = raw
	}
	out.Err = out.Err.WithPartial(&p)
	out.Kind = result.KindPartial
	return out
}
