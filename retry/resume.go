package retry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxParts ends an answer that has no end. Chosen: of fifty items each, it is fifty
// thousand.
const maxParts = 1000

// maxPauses is how long is waited between the parts in all, since a server may ask
// for a pause at each. Chosen: twenty of the longest that a Policy allows by
// default, and more than a user sits through.
const maxPauses = 10 * time.Minute

// maxJoined is how many bytes of results are joined. Chosen: no agent reads more.
const maxJoined = 64 << 20

// Resume makes a call, and where the result is partial goes on from where the tool
// stopped, until all of it is there: continueFrom is carried into the argument of
// that name. Call is what makes one call: [Client.CallTool], or a function around
// [CallTool].
//
//	out, decision := retry.Resume(ctx, client.CallTool, params, "continue_from")
//
// The outcome is data with the results of all parts joined, in the order in which
// they came: lists are joined, and objects member by member, so that the parts are
// best of the same shape as the whole answer. A tool may give each part alone, or
// with each part all that came before it. Where it fails on the way, or makes no
// progress, the outcome is a partial failure with all results so far, so that
// nothing is lost. So it is after 1,000 parts, or 64 MiB of results.
//
// It is the tool that may ask to wait between the parts: for ten minutes in all,
// after which the reason is [ReasonWait]. Where the context ends, Resume returns at
// once; where the next part would be asked for after its deadline, it does not wait
// for that either, and the reason is [ReasonDeadline]. Params are not changed.
func Resume(ctx context.Context, call func(context.Context, *mcp.CallToolParams) (result.Outcome, Decision), params *mcp.CallToolParams, argument string) (result.Outcome, Decision) {
	if params == nil {
		params = &mcp.CallToolParams{}
	}
	next := *params
	var so parts
	var slept, paused time.Duration // between attempts and parts, between parts alone
	for {
		out, d := call(ctx, &next)
		d.Delay = max(d.Delay, 0) // of a call that is not ours
		d.Waited += slept
		if out.Kind == result.KindData || out.Kind == result.KindEmpty {
			return so.whole(out), d
		}
		p := partialOf(out)
		if p == nil {
			return so.interrupted(out), d
		}
		progress := so.add(p)
		if p.ContinueFrom == nil || d.Action != ActionFixInput {
			return so.interrupted(out), d
		}
		with, ok := withMember(params.Arguments, argument, p.ContinueFrom)
		if !progress || !ok || so.n >= maxParts {
			return so.interrupted(out), d.stopped(ReasonNoProgress)
		}
		if reason, ok := pause(ctx, d.Delay, paused); !ok {
			return so.interrupted(out), d.stopped(reason)
		}
		paused += d.Delay
		slept = d.Waited + d.Delay
		next.Arguments = with
	}
}

// pause waits before the next part, unless there is no time for it.
func pause(ctx context.Context, d, paused time.Duration) (Reason, bool) {
	deadline, ok := ctx.Deadline()
	switch {
	case ctx.Err() == nil && d > maxPauses-paused:
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

// stopped is the decision where the next part is not asked for.
func (d Decision) stopped(reason Reason) Decision {
	d.Action, d.Reason, d.Delay = ActionPropagate, reason, 0
	return d
}

func partialOf(o result.Outcome) *toolerr.Partial {
	if o.Err == nil {
		return nil
	}
	return o.Err.Partial
}

// withMember returns the arguments with a member set, and whether they could take
// it.
func withMember(arguments any, name string, value any) (map[string]any, bool) {
	object := map[string]any{}
	if m, ok := arguments.(map[string]any); ok {
		maps.Copy(object, m)
	} else if arguments != nil {
		raw, err := json.Marshal(arguments)
		var members map[string]json.RawMessage
		if err != nil || json.Unmarshal(raw, &members) != nil {
			return nil, false
		}
		for k, v := range members {
			object[k] = v
		}
	}
	object[name] = value
	return object, name != ""
}

// parts are the results so far.
type parts struct {
	n       int
	size    int
	joined  any // as a JSON decoder makes them, numbers as they were
	done    int // items that are processed, as the tool counts them
	total   int
	cursors map[string]bool
}

// add joins a part, and reports whether it leads on: to a place where the tool has
// not been.
func (so *parts) add(p *toolerr.Partial) bool {
	part, ok := decodeJSON(p.Results)
	switch {
	case !ok:
	case so.n > 0 && p.Processed > so.done && length(part) == p.Processed && startsWith(part, so.joined):
		so.joined = part // all that came before it is in it
	default:
		so.joined = join(so.joined, part)
	}
	further := length(part) > 0 || p.Processed > so.done
	so.n++
	so.size += len(p.Results)
	so.done = max(so.done, p.Processed)
	so.total = max(so.total, p.Total)
	cursor, err := json.Marshal(p.ContinueFrom)
	if err != nil || so.cursors[string(cursor)] || !further || so.size > maxJoined {
		return false
	}
	if so.cursors == nil {
		so.cursors = map[string]bool{}
	}
	so.cursors[string(cursor)] = true
	return true
}

// whole is the outcome where the last part has come.
func (so *parts) whole(out result.Outcome) result.Outcome {
	if so.n == 0 {
		return out
	}
	joined := so.joined
	if out.Kind == result.KindData {
		last, err := result.Decode[any](out)
		if err != nil {
			last = out.Text()
		}
		raw, err := json.Marshal(last)
		if decoded, ok := decodeJSON(raw); err == nil && ok {
			last = decoded
		}
		all := so.total > 0 && length(last) == so.total // all of it once more, and not the rest alone
		if all || so.total == 0 && length(last) > length(joined) && startsWith(last, joined) {
			joined = last
		} else {
			joined = join(joined, last)
		}
	}
	return result.Parse(result.OK(joined), nil)
}

// interrupted is the outcome where no more parts come: its failure, with all the
// results so far.
func (so *parts) interrupted(out result.Outcome) result.Outcome {
	if so.n == 0 || out.Err == nil {
		return out
	}
	p := toolerr.Partial{}
	if out.Err.Partial != nil {
		p = *out.Err.Partial
	}
	p.Processed, p.Total = max(so.done, length(so.joined), 0), so.total
	if raw, err := marshalPlain(so.joined); err == nil {
		p.Results = raw
	}
	out.Err = out.Err.WithPartial(&p)
	out.Kind = result.KindPartial
	return out
}

func decodeJSON(raw []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
