package parts

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A part is a JSON value that others are joined to as text. Its lists grow in place, so the cost of
// joining a part does not depend on the earlier ones. A nil part holds no value.
type part struct {
	raw     []byte // compact; of a list, its items without the brackets; nil for an object
	isList  bool
	n       int              // number of items of a list
	members map[string]*part // of an object; only lists are split up
}

// partOf returns a JSON text as a part, or nil if it is null or if some clients cannot read it.
func partOf(text []byte) *part {
	raw := jsonvalue.AppendCompact(nil, text)
	if !jsonvalue.Valid(raw) || string(raw) == "null" {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil { // it is no object
		return listOf(raw)
	}
	p := &part{members: map[string]*part{}}
	for name, v := range members {
		p.members[name] = listOf(v)
	}
	return p
}

// listOf returns a value as a part. Only a list can grow.
func listOf(raw []byte) *part {
	if raw[0] != '[' {
		return &part{raw: raw}
	}
	p := &part{isList: true, raw: slices.Clip(raw[1 : len(raw)-1])}
	for range jsonvalue.Items(raw) {
		p.n++
	}
	return p
}

// lists returns p itself if it is a list, or else the lists in an object.
func (p *part) lists() (all []*part) {
	if p == nil || p.isList {
		return []*part{p}
	}
	for v := range maps.Values(p.members) {
		if v.isList {
			all = append(all, v)
		}
	}
	return all
}

// items returns the only list of a part, or nil if there are none or several.
func (p *part) items() *part {
	if all := p.lists(); len(all) == 1 {
		return all[0]
	}
	return nil
}

func (p *part) count() int {
	if list := p.items(); list != nil {
		return list.n
	}
	return 0
}

// startsWith reports whether before has items and p begins with the same ones.
func (p *part) startsWith(before *part) bool {
	all, first := p.items(), before.items()
	if all == nil || first == nil || first.n == 0 {
		return false
	}
	more, ok := bytes.CutPrefix(all.raw, first.raw)
	return ok && (len(more) == 0 || more[0] == ',')
}

// join appends b to a. It joins lists, merges objects with lists by member, and joins a list with
// an object's only list. Other values are kept side by side in a list.
func join(a, b *part) *part {
	if a == nil {
		return b
	}
	switch list, more := a.items(), b.items(); {
	case a.members != nil && b.members != nil && len(a.lists())+len(b.lists()) > 0:
		for name, v := range b.members {
			before := a.members[name]
			isMore := before != nil && before.isList
			if isMore && v.isList {
				v = before.extend(v)
			}
			if !isMore || string(v.raw) != "null" || v.isList { // Go encodes an empty list as null
				a.members[name] = v // other members, such as a cursor or a count, are those of b
			}
		}
		return a
	case list != nil && more != nil && (a.isList || b.isList):
		return list.extend(more)
	}
	return a.asList().extend(b.asList())
}

// asList returns p if it is a list, or a list with p as its only item.
func (p *part) asList() *part {
	if p.isList {
		return p
	}
	return &part{isList: true, raw: p.text(), n: 1}
}

// extend appends the items of another list to p, and returns p.
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
	object := map[string]json.RawMessage{}
	for name, v := range p.members {
		object[name] = v.text()
	}
	text, _ := jsonvalue.Marshal(object)
	return text
}
