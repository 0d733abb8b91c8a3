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
	if mayBeNothing(text) && nothingWords.MatchString(text) {
		out.Kind = KindEmpty
	}
	if !strings.Contains(text, "ucce") || !strings.Contains(text, "ail") {
		return out
	}
	if m := batchWords.FindStringSubmatch(text); m != nil && m[1] != "0" && m[2] != "0" {
		out.Kind = KindPartial
		out.Err = partialError(&toolerr.Partial{Processed: atoi(m[1]), Total: atoi(m[1]) + atoi(m[2])})
	}
	return out
}

// maxUnflagged is how long a text may be to be read for what it says of itself:
// reports of failures and of nothing are short, data is not.
const maxUnflagged = 64 << 10

// nothingWords are the short sentences in which servers say that nothing was
// found, from their beginning.
var nothingWords = regexp.MustCompile(`(?i)^\W{0,4}(?:no [^.:\n]{0,80}(?:found|match(?:ing|ed|es)?\b|available|exist)|no (?:results?|matches|records|rows|items|data|active|entries|events|issues|files)\b|found 0 |0 (?:results?|matches|rows|items|records) ?|nothing (?:was )?found|there (?:are|were) no |(?:list|set|queue|key|collection|table)\b[^.\n]{0,60} is empty)[^\n]{0,300}\n?[^\n]{0,200}$`)

// batchWords are the counts of a batch.
var batchWords = regexp.MustCompile(`(?is)^.{0,400}\bsuccess(?:ful|es)?\b\D{0,12}(\d{1,9})\b.{0,40}\bfail(?:ed|ures)?\b\D{0,12}(\d{1,9})\b`)

// mayBeNothing is a cheap look at the first word.
func mayBeNothing(text string) bool {
	if len(text) > 1000 {
		return false
	}
	text = strings.TrimLeft(text, "# *->\n\t`\"'([")
	word, _, _ := strings.Cut(text, " ")
	for _, first := range []string{"no", "found", "0", "nothing", "there", "list", "set", "queue", "key", "collection", "table"} {
		if strings.EqualFold(word, first) {
			return true
		}
	}
	return false
}

// mayBeReport is a cheap look for what a report of a failure, of nothing or of a
// part has to have.
func mayBeReport(text string) bool {
	for _, part := range reportParts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return len(text) < 16
}

var reportParts = []string{"[]", "{}", `"error`, `"isError"`, `"success"`, `"ok"`, `"status"`, `"partial`, `"outcome"`, "fail", "incomplete_results"}

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
	marked := false
	if inner, ok := m["partial"].(map[string]any); ok {
		marked = true
		m = inner
	}
	for _, name := range []string{"ok", "status", "outcome"} {
		if s, ok := m[name].(string); ok && (strings.EqualFold(s, "partial") || strings.EqualFold(s, "partial_success")) {
			marked = true
		}
	}
	for _, name := range []string{"incomplete_results", "partial", "truncated_by_error"} {
		if v, ok := m[name].(bool); ok && v {
			marked = true
		}
	}
	done, failed := 0, 0
	for name, v := range m {
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			continue
		}
		switch lower := strings.ToLower(name); {
		case lower == "failed" || lower == "failures" || strings.HasSuffix(lower, "_failed") || strings.HasPrefix(lower, "failed_"):
			failed += len(list)
		case lower == "succeeded" || lower == "uploaded" || lower == "successful" || lower == "created" || lower == "updated" || lower == "completed" ||
			lower == "results" || strings.HasSuffix(lower, "_succeeded") || strings.HasSuffix(lower, "_performed") || strings.HasSuffix(lower, "_completed"):
			done += len(list)
		}
	}
	if done > 0 && failed > 0 {
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
