package foreign

import (
	"encoding/json"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialError is the failure of a batch that says no more than its counts.
func partialError(p *toolerr.Partial) *toolerr.Error {
	return &toolerr.Error{Message: "Only part of the work was done.", Partial: p}
}

// partialIn reads the usual forms of a batch of which part was done, or returns
// nil.
func partialIn(m map[string]any) *toolerr.Partial {
	inner, nested := m["partial"].(map[string]any)
	if nested {
		m = inner
	}
	done, failed := batchIn(m)
	if !nested && done == 0 && !saysPartial(m) {
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
		if p.ContinueFrom == nil {
			p.ContinueFrom = cursor(m[name])
		}
	}
	for _, name := range []string{"results", "items", "data"} {
		if list, ok := m[name].([]any); ok {
			p.Results, _ = jsonvalue.Marshal(list) // it was JSON
			if p.Processed == 0 {
				p.Processed = len(list)
			}
			break
		}
	}
	return p
}

// saysPartial reports whether an object says of itself that part of the work was
// done. A status of the trade's own is called partial too, an order's or an
// invoice's, so that something has to say what of.
func saysPartial(m map[string]any) bool {
	if m["incomplete_results"] == true {
		return true
	}
	if !hasAny(m, "processed", "continueFrom", "continue_from", "failed", "results") {
		return false
	}
	for _, name := range []string{"ok", "status", "outcome"} {
		if s, _ := m[name].(string); strings.EqualFold(s, "partial") || strings.EqualFold(s, "partial_success") {
			return true
		}
	}
	return m["partial"] == true
}

// cursor returns what an envelope may hold to go on from, or nil.
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

// batchIn returns how many items of a batch were done and were not, or zeros unless
// there are some of both.
func batchIn(m map[string]any) (done, failed int) {
	for _, pair := range batches {
		a, _ := m[pair[0]].([]any)
		b, _ := m[pair[1]].([]any)
		if len(a) > 0 && len(b) > 0 {
			return len(a), len(b)
		}
	}
	return 0, 0
}

// batchCounts are the counts of a batch in a sentence.
var batchCounts = expression(`(?is)\b(?:process(?:ed|ing)|upload(?:ed|ing)?|import(?:ed|ing)?|insert(?:ed|ing)?|batch|operation|records)\b.{0,400}\bsuccess(?:ful|es)?\b\D{0,12}(\d{1,9})\b.{0,40}\bfail(?:ed|ures)?\b\D{0,12}(\d{1,9})\b`)

// partialInText reads the counts of a batch of which part was done, or returns nil.
func partialInText(text string) *toolerr.Partial {
	if len(text) > maxRead || !strings.Contains(text, "ucce") || !strings.Contains(text, "ail") {
		return nil
	}
	m := batchCounts().FindStringSubmatch(text)
	if m == nil || m[1] == "0" || m[2] == "0" {
		return nil
	}
	return &toolerr.Partial{Processed: atoi(m[1]), Total: atoi(m[1]) + atoi(m[2])}
}
