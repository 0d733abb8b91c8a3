// Package parts joins the parts of a result as JSON texts, without decoding them.
package parts

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// maxParts is the maximum number of parts, so that an endless result ends. At fifty items each,
	// that is fifty thousand items.
	maxParts = 1000
	// maxJoined is the size of all parts, in bytes, above which none is requested. Agents read
	// less.
	maxJoined = 64 << 20
)

// A Parts holds the results so far.
type Parts struct {
	n       int
	size    int // bytes of all parts
	joined  part
	done    int // number of processed items according to the tool
	total   int
	effect  toolerr.Effect  // the worst of the parts
	cursors map[string]bool // the positions so far, as JSON
	next    any             // the last one
}

// From returns empty Parts. It continues neither at 0 nor at position, where the first call begins.
func From(position any) *Parts {
	first, _ := jsonvalue.Marshal(position)
	return &Parts{effect: toolerr.EffectNone, cursors: map[string]bool{string(first): true, "0": true, `"0"`: true}}
}

// Add adds the part in a failure, and reports whether to continue: the part has new items and a new
// position to continue from, and no limit is reached.
func (ps *Parts) Add(e *toolerr.Error) bool {
	p := e.Partial
	further := p.Processed > ps.done
	if b := partOf(p.Results); b != nil {
		ps.size += len(p.Results)
		further = further || len(items(b)) > 0
		ps.add(b, p.Processed > ps.done && len(items(b)) == p.Processed && startsWith(b, ps.joined))
	}
	ps.done, ps.total, ps.effect = max(ps.done, p.Processed), max(ps.total, p.Total), ps.worst(e)
	ps.n++
	ps.next = p.ContinueFrom
	cursor, err := jsonvalue.Marshal(p.ContinueFrom)
	isNew := err == nil && !ps.cursors[string(cursor)]
	ps.cursors[string(cursor)] = true
	return isNew && further && ps.n < maxParts && ps.size <= maxJoined
}

// add joins b to the parts so far, or replaces them with it if all is set.
func (ps *Parts) add(b part, all bool) {
	if all {
		ps.joined = nil
	}
	ps.joined = join(ps.joined, b)
}

// worst returns the worst effect of all parts and a failure. Processed items have taken effect,
// unless the failure states otherwise, as it does for a read-only tool. If the failure's effect is
// unknown, so is that of the item after them.
func (ps *Parts) worst(e *toolerr.Error) toolerr.Effect {
	last := e.Effect
	if last == "" && e.Partial != nil && e.Partial.Processed > 0 {
		last = toolerr.EffectApplied
	}
	if last == toolerr.EffectUnknown {
		return last
	}
	return effect.Worst(ps.effect, last)
}

// Whole returns the joined outcome of all parts, of which out is the last.
func (ps *Parts) Whole(out result.Outcome) result.Outcome {
	if ps.n == 0 {
		return out
	}
	if out.Kind == result.KindData {
		raw, err := result.Decode[json.RawMessage](out)
		last := partOf(raw)
		if err != nil || last == nil {
			last, _ = jsonvalue.Marshal(out.Text())
		}
		all := ps.total > 0 && len(items(last)) == ps.total // the whole answer, not only its rest
		ps.add(last, all || ps.total == 0 && len(items(last)) > len(items(ps.joined)) && startsWith(last, ps.joined))
	}
	return result.Parse(result.OK(json.RawMessage(text(ps.joined))), nil)
}

// Interrupted returns the outcome if no further part is requested: out's failure, with all results
// so far, the worst effect of the parts, where to continue, and the first one's key, if any.
func (ps *Parts) Interrupted(out result.Outcome, key string) result.Outcome {
	if ps.n == 0 || out.Err == nil {
		return out
	}
	byDefault := hints.IsDefault(out.Err) || strings.HasPrefix(out.Err.Hint, hint.SameAnswer)
	p := *cmp.Or(out.Err.Partial, &toolerr.Partial{ContinueFrom: ps.next}) // the second of a bare failure
	p.Processed, p.Total, p.Results = max(ps.done, len(items(ps.joined))), ps.total, text(ps.joined)
	whole := ps.worst(out.Err)
	out.Err = out.Err.WithPartial(&p)
	out.Err.Effect = whole // also none, which the parts of a read-only tool state
	out.Err.IdempotencyKey = cmp.Or(key, out.Err.IdempotencyKey)
	if out.Err.Partial != nil {
		out.Kind = result.KindPartial
	}
	if byDefault && whole == toolerr.EffectUnknown { // about this call alone, whose repeat would begin again
		out.Err.Hint = hints.Default(out.Err, hint.AnyArgument)
	}
	return out
}
