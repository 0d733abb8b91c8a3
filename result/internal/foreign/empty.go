package foreign

import (
	"slices"
	"strings"
)

// holdsNothing reports whether a list or an object is the answer of a search without hits.
func holdsNothing(v any) bool {
	if n, ok := size(v); ok && n == 0 {
		return true
	}
	if list, ok := v.([]any); ok {
		return emptyItems(list, 0)
	}
	m, _ := v.(map[string]any)
	return allListsEmpty(m)
}

// allListsEmpty is [holdsNothing] for an object, which must have a list. Lists that
// otherwise supplement an answer, such as messages or changes, are the answer if a count
// next to them is zero.
func allListsEmpty(m map[string]any) bool {
	lists, empty := emptyLists(m, 0)
	return empty && (lists || countsZero(m))
}

// countsZero reports whether an object has a count of zero next to an empty list that is
// not one of remarks.
func countsZero(m map[string]any) bool {
	counts, lists := false, false
	for name, v := range m {
		name = strings.ToLower(name)
		n, isNumber := number(v)
		list, isList := v.([]any)
		counts = counts || isNumber && n == 0 && hasAnyIn(name, "count", "total", "size", "hits", "found", "estimate")
		lists = lists || isList && len(list) == 0 && supplements()[name] && !remarks()[name]
	}
	return counts && lists
}

// hasAnyIn reports whether a name contains any of the parts.
func hasAnyIn(name string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// emptyLists reports whether an object has a list at any depth that is not a supplement. It
// also reports whether all lists are empty and the other members only describe a search,
// with every count zero.
func emptyLists(m map[string]any, depth int) (lists, empty bool) {
	const maxDepth = 4 // chosen: an answer, its statements, their rows, and one more
	for name, v := range m {
		name = strings.ToLower(name)
		var has, isEmpty bool
		switch v := v.(type) {
		case []any:
			if supplements()[name] {
				isEmpty = len(v) == 0 || descriptions()[name]
				break
			}
			has, isEmpty = true, emptyItems(v, depth)
		case map[string]any:
			if depth < maxDepth && len(v) > 0 {
				has, isEmpty = emptyLists(v, depth+1)
				isEmpty = isEmpty || !has && isDescription(name, v)
			} else {
				isEmpty = len(v) == 0
			}
		default:
			isEmpty = isZero(v) || isDescription(name, v)
		}
		lists = lists || has
		if !isEmpty {
			return lists, false
		}
	}
	return lists, true
}

// emptyItems is [emptyLists] for a list.
func emptyItems(list []any, depth int) bool {
	const most = 8 // chosen: a list of more objects is data
	return len(list) <= most && !slices.ContainsFunc(list, func(v any) bool {
		m, _ := v.(map[string]any)
		lists, empty := emptyLists(m, depth+1)
		return !lists || !empty
	})
}

// isDescription reports whether a member describes a search or a table, and contains none
// of its rows.
func isDescription(name string, v any) bool {
	if descriptions()[name] || hasAnyIn(name, "search_", "searched", "filter", "query", "criteria", "conditions") {
		return true
	}
	s, isText := v.(string)
	return isText && len(s) <= maxShort && (strings.HasSuffix(name, "id") || strings.HasSuffix(name, "type"))
}

// isZero reports whether a value is null, false, 0, "", [] or {}.
func isZero(v any) bool {
	if n, ok := size(v); ok {
		return n == 0
	}
	if v == nil || v == "" || v == false {
		return true
	}
	_, isText := v.(string)
	n, ok := number(v)
	return ok && n == 0 && !isText
}

// descriptions are members that describe a search or a table, and contain none of its rows.
var descriptions = set(`
	columns headers fields schema paging pagination page_info pageinfo total total_count totalcount count page limit offset
	next next_cursor nextcursor cursor has_more hasmore took status ok success message msg code pageno page_no pagenum object type start_at startat
	max_results maxresults per_page page_size pagesize size search q url meta metadata query params filters filter sort
	source region timestamp date from to since until start end order`)

// remarks are lists of a server's remarks about its answer.
var remarks = set("warnings errors notes notices hints suggestions logs")

// supplements are lists that describe an answer but are not part of it.
var supplements = set(`
	warnings errors notes notices messages tags labels hints suggestions logs attachments links steps changes columns headers fields
	schema filters sort params facets aggregations`)
