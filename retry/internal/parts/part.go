package parts

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A part is nil or a JSON value to which others are joined as text: a list, an object, or the compact text of
// any other value, as a []byte. Lists grow in place, so the cost of joining a part does not depend on the
// earlier ones.
type part any

type (
	list   [][]byte
	object map[string]part // only its lists are split up
)

// partOf returns a JSON text as a part, or nil if it is null or if some clients cannot read it.
func partOf(text []byte) part {
	raw := jsonvalue.AppendCompact(nil, text)
	if !jsonvalue.Valid(raw) || string(raw) == "null" {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil { // it is no object
		return listOf(raw)
	}
	o := object{}
	for name, v := range members {
		o[name] = listOf(v)
	}
	return o
}

// listOf returns a value as a part. Only a list can grow.
func listOf(raw []byte) part {
	if raw[0] != '[' {
		return raw
	}
	return list(jsonvalue.Items(raw))
}

// lists returns the part if it is a list, or else the lists in an object.
func lists(p part) (all []list) {
	if l, ok := p.(list); ok {
		return []list{l}
	}
	o, _ := p.(object)
	for _, v := range o {
		all = append(all, lists(v)...)
	}
	return all
}

// items returns the items of a part's only list.
func items(p part) (l list) {
	if all := lists(p); len(all) == 1 {
		l = all[0]
	}
	return l
}

// startsWith reports whether before has items and p begins with the same ones.
func startsWith(p, before part) bool {
	all, first := items(p), items(before)
	return len(first) > 0 && len(first) <= len(all) && slices.EqualFunc(all[:len(first)], first, bytes.Equal)
}

// join appends b to a. It joins lists, merges objects with lists by member, and joins a list with
// an object's only list. Other values are kept side by side in a list.
func join(a, b part) part {
	if a == nil {
		return b
	}
	one, isObject := a.(object)
	other, areObjects := b.(object)
	before, more := lists(a), lists(b)
	if isObject && areObjects && len(before)+len(more) > 0 {
		for name, v := range other {
			start, isMore := one[name].(list)
			rest, isList := v.(list)
			if isMore && isList {
				v = append(start, rest...)
			}
			if !isMore || isList || string(text(v)) != "null" { // Go encodes an empty list as null
				one[name] = v // other members, such as a cursor or a count, are those of b
			}
		}
		return a
	}
	if len(before) == 1 && len(more) == 1 {
		return append(before[0], more[0]...)
	}
	return append(asList(a), asList(b)...)
}

// asList returns p if it is a list, or a list with p as its only item.
func asList(p part) list {
	if l, ok := p.(list); ok {
		return l
	}
	return list{text(p)}
}

func text(p part) []byte {
	switch p := p.(type) {
	case list:
		return slices.Concat([]byte{'['}, bytes.Join(p, []byte{','}), []byte{']'})
	case object:
		members := map[string]json.RawMessage{}
		for name, v := range p {
			members[name] = text(v)
		}
		raw, _ := jsonvalue.Marshal(members)
		return raw
	}
	raw, _ := p.([]byte)
	return raw
}
