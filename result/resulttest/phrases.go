package resulttest

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lazy compiles an expression when it is needed first, so that a program that checks
// nothing does not pay for it.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// nothingWords are how tools say that a search has no hits. A singular, as in
// "No customer found with id 7", may be a reference that had to exist.
var nothingWords = lazy(`(?i)^\W*(?:(?:error|warning)\W+)?(?:` +
	`no (?:[\w-]+ ){0,4}?(?:results?|data|[\w-]{2,}s)(?: (?:was|were|are|could be|have been))? (?:found|match(?:ed|ing)?|available|returned)\b|` +
	`(?:the )?(?:query|search) (?:returned|found|has) (?:no|0|zero) |` +
	`(?:found|returned) (?:no|0|zero) (?:[\w-]+ ){0,3}?(?:results?|matches|[\w-]+s)\b|` +
	`(?:0|zero) (?:results?|matches|rows|records|items|hits)\b|` +
	`nothing (?:was )?found\b|no (?:results?|matches|matching \w+s|hits|records|rows)\b)`)

// setupWords are about what a tool needs itself: that there are none is a
// failure.
var setupWords = lazy(`(?i)credential|permission|\brights\b|token|keys?\b|config|setting|argument|parameter|header|environment|certificate|device|provider`)

// saysNothingFound reports whether a failure is an empty answer: in its words, or
// because the only list that it carries is empty.
func (f failure) saysNothingFound() bool {
	text := f.text
	if f.members != nil {
		category := f.get(roleCategory)
		lists := f.lists()
		switch {
		case category.value == "permission", category.value == "transient":
			return false
		case slices.ContainsFunc(lists, func(list []any) bool { return len(list) > 0 }):
			return false
		case len(lists) == 1 && category.path == "":
			return true
		}
		text, _ = f.get(roleMessage).value.(string)
	}
	return len(text) < 1000 && nothingWords().MatchString(text) && !setupWords().MatchString(text)
}

// lists returns the lists that a failure carries beside those of its own.
func (f failure) lists() (lists [][]any) {
	for name, v := range f.members {
		if list, ok := v.([]any); ok && !slices.Contains(envelopeLists, name) {
			lists = append(lists, list)
		}
	}
	return lists
}

// envelopeLists are lists that a failure has of its own.
var envelopeLists = []string{
	"suggestions", "options", "alternatives", "attempted", "errors", "details", "warnings", "candidates", "available", "hints", "issues",
}

// failedWords are how tools put a failure into a text that is not marked as one.
var failedWords = lazy(`(?i)^\W*(?:(?:an? )?(?:(?:internal|unexpected|unknown|fatal|validation|network|server|database|api|http|request|tool) )?` +
	`(?:error|exception)(?: (?:while )?\w+ing\b[^:\n]{0,80}| occurred[^:\n]{0,80})?\s?(?::|- )|` +
	`\w+(?:Error|Exception): |traceback \(most recent|failed to \w+|unhandled (?:error|exception|promise)|` +
	`(?:access|permission) denied\b|(?:unauthorized|forbidden)(?:[.:!]|$))`)

// looksFailed reports whether a success that is one short text says that the
// call has failed, in words that are not the call's own: a tool that is asked for a
// message of the type error, or for the meaning of a word, answers with that.
func looksFailed(res *mcp.CallToolResult, sent []string) (text string, failed bool) {
	list := contentTexts(res)
	if len(res.Content) != 1 || len(list) != 1 || len(list[0]) > 2000 {
		return "", false
	}
	words := strings.ToLower(failedWords().FindString(list[0]))
	return list[0], words != "" && !namesSent(words, sent) || allFailed(list[0], sent)
}

// failedPart is a line that says of a part of an answer that there was an error.
var failedPart = lazy(`(?i)^\s*([^:]{1,100}): (?:error\b|failed\b)`)

// headings are what lines begin with that are no part of an answer.
const headings = "=#*-"

// allFailed reports whether a text is of two parts or more, and says of each that it
// failed. Parts that are named in the arguments are a report on what was sent.
func allFailed(text string, sent []string) bool {
	failed := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.ContainsAny(line[:1], headings) {
			continue
		}
		part := failedPart().FindStringSubmatch(line)
		if part == nil || namesSent(strings.ToLower(part[1]), sent) {
			return false
		}
		failed++
	}
	return failed > 1
}

// namesSent reports whether words, in lower case, have something in them that was sent.
func namesSent(words string, sent []string) bool {
	return slices.ContainsFunc(sent, func(value string) bool {
		return len(value) >= minSent && strings.Contains(words, strings.ToLower(value))
	})
}

// minSent is how long a text of the arguments is that an answer may have its words from.
// Chosen: shorter ones stand in any text.
const minSent = 3
