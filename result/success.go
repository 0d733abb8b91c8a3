package result

import (
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readSuccess tells data, nothing, part of the data and an unflagged report of
// a failure apart in a result without isError.
func readSuccess(res *mcp.CallToolResult) Outcome {
	out := Outcome{Kind: KindData, Result: res}
	if kind, ok := res.Meta[kindKey].(string); ok && kind == KindEmpty.String() {
		out.Kind = KindEmpty
		return out
	}
	if len(res.Content) == 0 {
		if v := res.StructuredContent; v == nil || emptyValue(v) {
			out.Kind = KindEmpty
		} else if m, ok := v.(map[string]any); ok {
			return readUnflagged(m, out)
		}
		return out
	}
	text := ""
	if len(res.Content) == 1 {
		text = firstText(res)
	}
	structured, _ := res.StructuredContent.(map[string]any)
	if len(text) > maxUnflagged && structured == nil {
		return out
	}
	switch {
	case text == "" && structured == nil:
		return out
	case looksLikeJSON(text):
		if !mayBeReport(text) {
			return out
		}
		if m, ok := decodeObject(text); ok {
			return readUnflagged(m, out)
		}
		if strings.TrimSpace(text) == "[]" {
			out.Kind = KindEmpty
		}
		return out
	case structured != nil:
		if onlyListIsEmpty(structured) {
			out.Kind = KindEmpty
		} else if inner, ok := structured["result"].(string); !ok || len(structured) > 1 || looksLikeJSON(inner) {
			return readUnflagged(structured, out)
		}
	}
	if mayBeNothing(text) && nothingWords.MatchString(text) && !somethingWords.MatchString(text) {
		out.Kind = KindEmpty
	}
	if len(text) > maxRead || !strings.Contains(text, "ucce") || !strings.Contains(text, "ail") {
		return out
	}
	if m := batchWords.FindStringSubmatch(text); m != nil && m[1] != "0" && m[2] != "0" {
		out.Kind = KindPartial
		out.Err = partialError(&toolerr.Partial{Processed: atoi(m[1]), Total: atoi(m[1]) + atoi(m[2])})
	}
	return out
}

// maxUnflagged is how many bytes a text may have to be read for what it says of
// itself. Chosen: reports of failures and of nothing are short, data is not.
const maxUnflagged = 64 << 10

// nothingWords are the short sentences in which servers say that nothing was
// found, from their beginning.
var nothingWords = regexp.MustCompile(`(?i)^\W{0,4}(?:no [^.;\n]{0,80}?\b(?:found|match(?:ing|ed|es)?|exist)\b[^\n;]{0,300}|no (?:active |open |available |matching )?(?:results?|matches|records|rows|items|data|entries|events|issues|files|searches|sessions|tasks)(?: available| returned)?[.!]?\s*|found 0 [^\n]{0,300}|0 (?:results?|matches|rows|items|records)(?: (?:found|returned|matched))?[.!]?\s*|nothing (?:was )?found[^\n]{0,300}|there (?:are|were) no (?:results?|matches|records|rows|items|entries)[^\n]{0,200}|(?:list|set|queue|key|collection|table) \S{1,80} is empty[^\n]{0,200})(?:\n[^\n]{0,200})?$`)

// somethingWords are what a text says that is about more than nothing.
var somethingWords = regexp.MustCompile(`(?i)\b(?:passed|valid|deployed|uploaded|imported|inserted|updated|fetched|deleted|skipped|live|healthy|succeeded|completed|changed|now at)\b|: \w+, \w+`)

// batchWords are the counts of a batch.
var batchWords = regexp.MustCompile(`(?is)\b(?:process(?:ed|ing)|upload(?:ed|ing)?|import(?:ed|ing)?|insert(?:ed|ing)?|batch|operation|records)\b.{0,400}\bsuccess(?:ful|es)?\b\D{0,12}(\d{1,9})\b.{0,40}\bfail(?:ed|ures)?\b\D{0,12}(\d{1,9})\b`)

// mayBeNothing is a cheap look at the first word.
func mayBeNothing(text string) bool {
	if len(text) > 1000 {
		return false
	}
	text = strings.TrimLeft(text, "# *->\n\t`\"'([")
	word, _, _ := strings.Cut(text, " ")
	if word == "" || strings.IndexByte("nN0fFtTlLsSqQkKcC", word[0]) < 0 {
		return false
	}
	for _, first := range []string{"no", "found", "0", "nothing", "there", "list", "set", "queue", "key", "collection", "table"} {
		if len(word) == len(first) && strings.EqualFold(word, first) {
			return true
		}
	}
	return false
}

// mayBeReport is a cheap look for what a report of a failure, of nothing or of a
// part has to have: one of a few members, or something empty.
func mayBeReport(text string) bool {
	for i := range len(text) - 1 {
		switch text[i] {
		case '[':
			if text[i+1] == ']' {
				return true
			}
		case '{':
			if text[i+1] == '}' {
				return true
			}
		case '"':
			for _, name := range reportStarts[text[i+1]] {
				if strings.HasPrefix(text[i+1:], name) {
					return true
				}
			}
		}
	}
	return strings.Contains(text, "fail") || len(text) < 16
}

// reportStarts are the beginnings of such members, by their first letter.
var reportStarts = func() (table [256][]string) {
	for _, name := range []string{"error", "isError", "success", "ok\"", "status", "partial", "outcome", "object", "incomplete_results"} {
		table[name[0]] = append(table[name[0]], name)
	}
	return table
}()

func looksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// readUnflagged reads a JSON object in a result that is not flagged.
func readUnflagged(m map[string]any, out Outcome) Outcome {
	if p := partialIn(m); p != nil {
		out.Kind, out.Err = KindPartial, partialError(p)
		if e, ok := failureIn(m, false); ok {
			e.Partial, e.Retryable = p, false
			out.Err = e
		}
		return out
	}
	if e, ok := failureIn(m, false); ok {
		out.Kind, out.Err = KindFailure, e
		return out
	}
	if len(m) == 0 || onlyListIsEmpty(m) || len(m) == 1 && emptyValue(m["result"]) {
		out.Kind = KindEmpty
	}
	return out
}

func emptyValue(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0 || onlyListIsEmpty(v)
	}
	return false
}

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
