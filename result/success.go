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
