package foreign

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialError is the failure of a batch that only reports its counts.
func partialError(p *toolerr.Partial) *toolerr.Error {
	return &toolerr.Error{Message: "Only part of the work was done.", Partial: p}
}

// partialIn reads the usual forms of a batch that was done in part, or returns nil. A
// cursor is only read from a flagged result.
func partialIn(m map[string]any, flagged bool) *toolerr.Partial {
	inner, nested := m["partial"].(map[string]any)
	if nested {
		m = inner
	}
	done, failed := batchIn(m)
	if !nested && done == 0 && !reportsPartial(m, flagged) {
		return nil
	}
	p := &toolerr.Partial{Processed: done, Total: done + failed}
	if n, ok := number(m["processed"]); ok && n >= 0 {
		p.Processed = count(n)
	}
	for _, name := range []string{"total", "total_count"} {
		if n, ok := number(m[name]); ok && n > 0 {
			p.Total = count(n)
		}
	}
	for _, name := range []string{"continueFrom", "continue_from", "next_cursor", "nextCursor", "cursor"} {
		if p.ContinueFrom == nil && flagged {
			p.ContinueFrom = cursor(m[name])
		}
	}
	for _, name := range dataLists {
		if n, ok := listSize(m[name]); ok {
			p.Results = rawList(m[name])
			if p.Processed == 0 {
				p.Processed = n
			}
			break
		}
	}
	return p
}

// dataLists are members that contain the results of a call.
var dataLists = []string{"results", "items", "data", "rows", "records", "entries"}

func rawList(v any) json.RawMessage {
	if l, ok := v.(long); ok {
		if !json.Valid([]byte(l.raw)) {
			return nil
		}
		return json.RawMessage(l.raw)
	}
	raw, _ := jsonvalue.Marshal(v) // it was JSON
	return raw
}

// listSize returns how many items a list has, and reports whether v is a list.
func listSize(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case long:
		return v.size, v.list
	}
	return 0, false
}

// reportsPartial reports whether an object states that part of the work was done, or that its
// answer is incomplete. An object with a cursor is a page. The status of an order or an
// invoice may also be partial, and so may a match. Therefore the status alone is not
// sufficient.
func reportsPartial(m map[string]any, flagged bool) bool {
	for _, name := range []string{"incomplete_results", "incompleteResults", "truncated", "is_truncated", "isTruncated", "incomplete", "isIncomplete", "is_incomplete"} {
		if m[name] == true && holdsList(m) && !isPage(m) {
			return true
		}
	}
	for _, name := range []string{"status", "outcome"} {
		if isWord(m[name], "partial_success") && hasData(m) && !isRecord(m) {
			return true
		}
	}
	if !hasAny(m, "processed", "continueFrom", "continue_from", "failed") && (!flagged || m["results"] == nil) {
		return false
	}
	for _, name := range []string{"ok", "status", "outcome"} {
		if isWord(m[name], "partial") || isWord(m[name], "partial_success") {
			return true
		}
	}
	return m["partial"] == true
}

// holdsList reports whether an object has a list or a text that may be truncated.
func holdsList(m map[string]any) bool {
	for name, v := range m {
		n, _ := size(v)
		s, _ := v.(string)
		if n > 0 || proseMembers()[name] || len(s) > maxShort || name == "content" || name == "text" {
			return true
		}
	}
	return false
}

// hasData reports whether an object has a nonempty list or object under a name for data.
func hasData(m map[string]any) bool {
	return slices.ContainsFunc(dataLists, func(name string) bool { return hasItems(m[name]) })
}

// isPage reports whether an object has a cursor for the next page.
func isPage(m map[string]any) bool {
	for name, v := range m {
		name = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
		if (strings.Contains(name, "cursor") || strings.HasPrefix(name, "next") || strings.Contains(name, "pagetoken") || strings.Contains(name, "continuationtoken")) && !isZero(v) {
			return true
		}
	}
	return false
}

// cursor returns v if an envelope may hold it as a cursor, or nil.
func cursor(v any) any {
	switch v := v.(type) {
	case string:
		if s := sanitize.Identifier(v); s != "" {
			return s
		}
	case json.Number:
		if sanitize.Identifier(string(v)) != "" {
			return v
		}
	case float64:
		return v
	}
	return nil
}

func count(n float64) int { return int(min(n, 1<<31-1)) }
