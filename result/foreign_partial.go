package result

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialError is the failure of a batch that says no more than its counts.
func partialError(p *toolerr.Partial) *toolerr.Error {
	return &toolerr.Error{Message: "Only part of the work was done.", Partial: p}
}

// partialIn reads the usual shapes of a batch of which part was done, or returns
// nil.
func partialIn(m map[string]any) *toolerr.Partial {
	p := new(toolerr.Partial)
	inner, nested := m["partial"].(map[string]any)
	if nested {
		m = inner
	}
	marked := false
	for _, name := range []string{"ok", "status", "outcome"} {
		if s, ok := m[name].(string); ok && (strings.EqualFold(s, "partial") || strings.EqualFold(s, "partial_success")) {
			marked = true
		}
	}
	if v, ok := m["partial"].(bool); ok && v {
		marked = true
	}
	// A status of the trade's own is called partial too: an order's, an invoice's.
	marked = marked && (m["processed"] != nil || m["continueFrom"] != nil || m["continue_from"] != nil || m["failed"] != nil || m["results"] != nil)
	if v, ok := m["incomplete_results"].(bool); nested || ok && v {
		marked = true
	}
	if done, failed := batch(m); done > 0 && failed > 0 {
		marked = true
		p.Processed, p.Total = done, done+failed
	}
	if !marked {
		return nil
	}
	if n, ok := number(m["processed"]); ok && n >= 0 {
		p.Processed = int(min(n, 1<<31-1))
	}
	for _, name := range []string{"total", "total_count"} {
		if n, ok := number(m[name]); ok && n > 0 {
			p.Total = int(min(n, 1<<31-1))
		}
	}
	for _, name := range []string{"continueFrom", "continue_from", "next_cursor", "nextCursor", "cursor"} {
		if v := m[name]; v != nil && p.ContinueFrom == nil {
			p.ContinueFrom = v
		}
	}
	for _, name := range []string{"results", "items", "data"} {
		if list, ok := m[name].([]any); ok && p.Results == nil {
			p.Results = raw(list)
			if p.Processed == 0 {
				p.Processed = len(list)
			}
		}
	}
	return p
}

func atoi(digits string) int {
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

// batches are the pairs of lists that say what was done and what was not.
var batches = [][2]string{
	{"succeeded", "failed"},
	{"successful", "failed"},
	{"successes", "failures"},
	{"uploaded", "failed"},
	{"created", "failed"},
	{"updated", "failed"},
	{"deleted", "failed"},
	{"sent", "failed"},
	{"imported", "failed"},
	{"operations_performed", "operations_failed"},
}

func batch(m map[string]any) (done, failed int) {
	for _, pair := range batches {
		a, _ := m[pair[0]].([]any)
		b, _ := m[pair[1]].([]any)
		if len(a) > 0 && len(b) > 0 {
			return len(a), len(b)
		}
	}
	return 0, 0
}
