package retry

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxJoined is the size of the joined results, in bytes, at which no further part is
// requested. Chosen: more than agents read.
const maxJoined = 64 << 20

// parts holds the results so far.
type parts struct {
	n       int
	size    int // bytes of all parts
	joined  *part
	done    int // number of processed items according to the tool
	total   int
	effect  toolerr.Effect // the worst of the parts
	cursors map[string]bool
}

// add adds the part of a failure, and reports whether it makes progress: it has new items,
// and a new position to continue from.
func (ps *parts) add(e *toolerr.Error) bool {
	p := e.Partial
	further := p.Processed > ps.done
	if b := partOf(p.Results); b != nil {
		ps.size += len(p.Results)
		further = further || b.count() > 0
		if ps.n > 0 && p.Processed > ps.done && b.count() == p.Processed && b.startsWith(ps.joined) {
			ps.joined = b // it contains all earlier parts
		} else {
			ps.joined = join(ps.joined, b)
		}
	}
	ps.n++
	ps.done, ps.total = max(ps.done, p.Processed), max(ps.total, p.Total)
	ps.effect = ps.worst(e)
	cursor, err := jsonvalue.Marshal(p.ContinueFrom)
	if err != nil || ps.cursors[string(cursor)] || !further || ps.size > maxJoined {
		return false
	}
	if ps.cursors == nil {
		ps.cursors = map[string]bool{}
	}
	ps.cursors[string(cursor)] = true
	return true
}

// worst returns the effect of the parts so far and a failure. Items that were processed have
// taken effect, unless the failure states otherwise, as it does for a read-only tool.
func (ps *parts) worst(e *toolerr.Error) toolerr.Effect {
	last := e.Effect
	if last == "" && e.Partial != nil && e.Partial.Processed > 0 {
		last = toolerr.EffectApplied
	}
	return effect.Worst(ps.effect, last)
}

// whole returns the outcome after the last part.
func (ps *parts) whole(out result.Outcome) result.Outcome {
	if ps.n == 0 {
		return out
	}
	if out.Kind == result.KindData {
		raw, err := result.Decode[json.RawMessage](out)
		last := partOf(raw)
		if err != nil || last == nil {
			text, _ := jsonvalue.Marshal(out.Text())
			last = &part{raw: text}
		}
		all := ps.total > 0 && last.count() == ps.total // the whole answer, not only its rest
		if all || ps.total == 0 && last.count() > ps.joined.count() && last.startsWith(ps.joined) {
			ps.joined = last
		} else {
			ps.joined = join(ps.joined, last)
		}
	}
	return result.Parse(result.OK(json.RawMessage(ps.joined.text())), nil)
}

// interrupted returns the outcome if no further part is requested: its failure, with all
// results so far, the worst effect of the parts, and the key of the first one.
func (ps *parts) interrupted(out result.Outcome, c *chain) result.Outcome {
	if ps.n == 0 || out.Err == nil {
		return out
	}
	p := toolerr.Partial{}
	if out.Err.Partial != nil {
		p = *out.Err.Partial
	}
	p.Processed, p.Total, p.Results = max(ps.done, ps.joined.count(), 0), ps.total, ps.joined.text()
	whole := ps.worst(out.Err)
	out.Err = out.Err.WithPartial(&p)
	out.Err.Effect = whole // also none, which the parts of a read-only tool state
	if c.key != "" {
		out.Err.IdempotencyKey = c.key
	}
	out.Kind = result.KindPartial
	return out
}

// A part is a JSON value to which others are joined as text. Its lists grow in place, so
// that the cost of a part does not depend on their number. A nil part is no value.
type part struct {
	raw     []byte // compact; of a list, its items without the brackets; nil for an object
	isList  bool
	n       int              // number of items of a list
	members map[string]*part // of an object, by the raw name; only lists are split up
}

// partOf returns a JSON text as a part, or nil if it is not JSON that every client can read.
func partOf(text []byte) *part {
	raw := jsonvalue.AppendCompact(nil, text)
	if !jsonvalue.Valid(raw) || string(raw) == "null" {
		return nil
	}
	if raw[0] != '{' {
		return listOf(raw)
	}
	p := &part{members: map[string]*part{}}
	s := jsonvalue.NewScanner(raw)
	for more := s.Open(); more; more = s.More('}') {
		from := s.Offset()
		s.Name()
		colon := s.Offset()
		s.Value()
		p.members[string(raw[from:colon-1])] = listOf(raw[colon:s.Offset()])
	}
	return p
}

// listOf returns a value, of which a list can grow.
func listOf(raw []byte) *part {
	if raw[0] != '[' {
		return &part{raw: raw}
	}
	p := &part{isList: true, raw: slices.Clip(raw[1 : len(raw)-1])}
	s := jsonvalue.NewScanner(raw)
	for more := s.Open(); more; more = s.More(']') {
		s.Value()
		p.n++
	}
	return p
}

// items returns a list, or the only list of an object, or nil.
func (p *part) items() (list *part) {
	if p == nil || p.isList {
		return p
	}
	for v := range maps.Values(p.members) {
		if v.isList && list != nil {
			return nil
		}
		if v.isList {
			list = v
		}
	}
	return list
}

func (p *part) count() int {
	if list := p.items(); list != nil {
		return list.n
	}
	return 0
}

// startsWith reports whether before has items and p begins with them.
func (p *part) startsWith(before *part) bool {
	all, first := p.items(), before.items()
	if all == nil || first == nil || first.n == 0 {
		return false
	}
	more, ok := bytes.CutPrefix(all.raw, first.raw)
	return ok && (len(more) == 0 || more[0] == ',')
}

// join appends b to a. It joins lists, merges objects member by member, and joins a list
// with the only list of an object. Other values are kept side by side in a list.
func join(a, b *part) *part {
	switch {
	case a == nil:
		return b
	case a.members != nil && b.members != nil && a.hasList():
		for name, v := range b.members {
			if before := a.members[name]; v.isList && before != nil && before.isList {
				v = before.extend(v)
			}
			a.members[name] = v // other members, such as a cursor or a count, are those of b
		}
		return a
	case a.isList && b.items() != nil:
		return a.extend(b.items())
	case b.isList && a.items() != nil:
		return a.items().extend(b)
	}
	return a.asList().extend(b.asList())
}

func (p *part) hasList() bool {
	for v := range maps.Values(p.members) {
		if v.isList {
			return true
		}
	}
	return false
}

// asList returns a list, or a list of one item.
func (p *part) asList() *part {
	if p.isList {
		return p
	}
	return &part{isList: true, raw: p.text(), n: 1}
}

// extend appends the items of another list, and returns the list.
func (p *part) extend(more *part) *part {
	if p.n > 0 && more.n > 0 {
		p.raw = append(p.raw, ',')
	}
	p.raw = append(p.raw, more.raw...)
	p.n += more.n
	return p
}

// text returns the part as JSON.
func (p *part) text() []byte {
	switch {
	case p == nil:
		return nil
	case p.isList:
		return slices.Concat([]byte{'['}, p.raw, []byte{']'})
	case p.members == nil:
		return p.raw
	}
	text := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(p.members)) {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), p.members[name].text()...)
	}
	return append(text, '}')
}
