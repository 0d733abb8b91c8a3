package foreign

import (
	"slices"
	"strings"
)

// holdsNothing reports whether a list or an object is the answer of a search
// without hits.
func holdsNothing(v any) bool {
	if n, ok := size(v); ok && n == 0 {
		return true
	}
	m, _ := v.(map[string]any)
	return onlyListIsEmpty(m)
}

// onlyListIsEmpty reports whether an object has one list, empty, that is not a mere
// supplement, and beside it nothing but what describes a search.
func onlyListIsEmpty(m map[string]any) bool {
	lists := 0
	for name, v := range m {
		name = strings.ToLower(name)
		if descriptions()[name] {
			continue
		}
		if _, ok := v.([]any); ok && !supplements()[name] {
			lists++
		} else if ok {
			return false
		}
		if !isZero(v) {
			return false
		}
	}
	return lists == 1
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

// descriptions are members that describe a search or a table, and hold none of its
// rows.
var descriptions = set(`
	columns headers fields schema paging pagination page_info pageinfo total total_count totalcount count page limit offset
	next next_cursor nextcursor cursor has_more hasmore took status ok success message object type start_at startat
	max_results maxresults per_page page_size pagesize size search q url meta metadata query params filters filter sort`)

// supplements are lists that say something about an answer and are not it.
var supplements = set(`
	warnings errors notes notices messages tags labels hints suggestions logs attachments links steps changes`)

// nothingFound are the short sentences in which servers say that nothing was found,
// from their beginning.
var nothingFound = expression(`(?i)^\W{0,4}(?:no [^.;\n]{0,80}?\b(?:found|match(?:ing|ed|es)?|exist)\b[^\n;]{0,300}|no (?:active |open |available |matching )?(?:results?|matches|records|rows|items|data|entries|events|issues|files|searches|sessions|tasks)(?: available| returned)?[.!]?\s*|found 0 [^\n]{0,300}|0 (?:results?|matches|rows|items|records)(?: (?:found|returned|matched))?[.!]?\s*|nothing (?:was )?found[^\n]{0,300}|there (?:are|were) no (?:results?|matches|records|rows|items|entries)[^\n]{0,200}|(?:list|set|queue|key|collection|table) \S{1,80} is empty[^\n]{0,200})(?:\n[^\n]{0,200})?$`)

// somethingElse is what a text says that is about more than nothing.
var somethingElse = expression(`(?i)\b(?:passed|valid|deployed|uploaded|imported|inserted|updated|fetched|deleted|skipped|live|healthy|succeeded|completed|changed|now at)\b|: \w+, \w+`)

// saysNothing reports whether a text says that nothing was found, and no more. Its
// first word is looked at before the expressions are.
func saysNothing(text string) bool {
	if len(text) > 1000 {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimLeft(text, "# *->\n\t`\"'(["), " ")
	return slices.ContainsFunc(nothingStarts, func(start string) bool { return len(start) == len(word) && strings.EqualFold(start, word) }) &&
		nothingFound().MatchString(text) && !somethingElse().MatchString(text)
}

// nothingStarts are the first words of those sentences.
var nothingStarts = []string{"no", "found", "0", "nothing", "there", "list", "set", "queue", "key", "collection", "table"}
