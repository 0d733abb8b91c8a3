package retry

import (
	"reflect"
)

// merge appends part b of an answer to part a. It joins lists, merges objects member by
// member, and joins a list with the only list of an object. Other values are kept side by
// side in a list. A grows in place, so the cost of a part does not depend on their number.
func merge(a, b any) any {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	listA, isListA := a.([]any)
	listB, isListB := b.([]any)
	objectA, isObjectA := a.(map[string]any)
	objectB, isObjectB := b.(map[string]any)
	switch {
	case isListA && isListB:
		return append(listA, listB...)
	case isObjectA && isObjectB && hasList(objectA):
		return mergeObjects(objectA, objectB)
	case isListA && isObjectB && len(lists(objectB)) == 1:
		return append(listA, lists(objectB)[0]...)
	case isObjectA && isListB && len(lists(objectA)) == 1:
		return append(lists(objectA)[0], listB...)
	case isListA:
		return append(listA, b)
	case isListB:
		return append([]any{a}, listB...)
	}
	return []any{a, b}
}

// mergeObjects joins the lists of a and b. Other members, such as a cursor or a count, are
// taken from b.
func mergeObjects(a, b map[string]any) map[string]any {
	for name, v := range b {
		before, ok := a[name].([]any)
		if more, isList := v.([]any); ok && isList {
			v = append(before, more...)
		}
		a[name] = v
	}
	return a
}

func hasList(object map[string]any) bool {
	for _, v := range object {
		if _, ok := v.([]any); ok {
			return true
		}
	}
	return false
}

func lists(object map[string]any) [][]any {
	var out [][]any
	for _, v := range object {
		if list, ok := v.([]any); ok {
			out = append(out, list)
		}
	}
	return out
}

// items returns an answer that is a list, or the only list of an answer that is an object.
func items(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		if all := lists(v); len(all) == 1 {
			return all[0]
		}
	}
	return nil
}

func length(v any) int { return len(items(v)) }

// startsWith reports whether b has items and a begins with them.
func startsWith(a, b any) bool {
	all, first := items(a), items(b)
	return len(first) > 0 && len(all) >= len(first) && reflect.DeepEqual(all[:len(first)], first)
}
