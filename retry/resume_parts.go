package retry

import (
	"encoding/json"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// parts holds the results so far.
type parts struct {
	n       int
	values  int
	merged  any             // decoded JSON with unchanged numbers; it grows in place
	last    rawList         // the items of the last part, if it contains all merged ones
	rest    json.RawMessage // the last part, if it is too large to be decoded
	done    int             // number of processed items according to the tool
	total   int
	cursors map[string]bool
}

// add adds a part, and reports whether it makes progress: it has new items, and a new
// position to continue from.
func (ps *parts) add(p *toolerr.Partial) bool {
	further := p.Processed > ps.done
	mayHoldAll := ps.n > 0 && further
	rest, list, ok := ps.last.split(p.Results)
	switch {
	case mayHoldAll && ok && ps.hasRoomFor(rest) && ps.grow(rest, p.Processed): // earlier parts are counted already
		ps.last = list
	case ps.rest == nil && ps.hasRoomFor(p.Results):
		n := ps.join(p, mayHoldAll)
		further = further || n > 0
		ps.last = nil
		if n == length(ps.merged) {
			ps.last = listIn(p.Results)
		}
	default:
		further = false
	}
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

// join adds a part, and returns its number of items.
func (ps *parts) join(p *toolerr.Partial, mayHoldAll bool) int {
	part, ok := jsonvalue.Decode(p.Results)
	switch {
	case !ok:
	case mayHoldAll && length(part) == p.Processed && startsWith(part, ps.merged):
		ps.merged = part // it contains all earlier parts
	default:
		ps.merged = merge(ps.merged, part)
	}
	return length(part)
}

// grow adds the new items of a part that contains all earlier ones. It returns false if the
// total is not the number of items that the tool has processed.
func (ps *parts) grow(raw []byte, processed int) bool {
	rest, ok := jsonvalue.Decode(raw)
	before, more := items(ps.merged), items(rest)
	if !ok || len(before) == 0 || len(more) == 0 || len(before)+len(more) != processed {
		return false
	}
	all := append(before, more...)
	ps.merged = all
	if object, ok := rest.(map[string]any); ok {
		for name, v := range object {
			if _, isList := v.([]any); isList { // the only list
				object[name] = all
			}
		}
		ps.merged = object
	}
	return true
}

// whole returns the outcome after the last part.
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
		all := ps.total > 0 && length(last) == ps.total // the whole answer, not only its rest
		if all || ps.total == 0 && length(last) > length(ps.merged) && startsWith(last, ps.merged) {
			ps.merged = last
		} else {
			ps.merged = merge(ps.merged, last)
		}
	}
	return result.Parse(result.OK(ps.merged), nil)
}

// dataOf returns the data of an outcome as decoded JSON, or its text. Numbers keep all
// digits, which a float64 would not.
func dataOf(raw json.RawMessage, isJSON bool, out result.Outcome) any {
	if data, ok := jsonvalue.Decode(raw); isJSON && ok {
		return data
	}
	return out.Text()
}

// interrupted returns the outcome if no further part is requested: its failure, with all
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
