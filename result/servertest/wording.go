package servertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// nothingWords matches a text that reports an empty search result. It does not match "No customer
// found with id 7" and the like, which may be failures.
var nothingWords = lazy(`(?i)^\W*(?:(?:error|warning)\W+)?(?:` +
	`no (?:[\w-]+ ){0,4}?(?:results?|data|[\w-]{2,}s)(?: (?:was|were|are|could be|have been))? ` +
	`(?:found|match(?:ed|ing)?|available|returned)\b|` +
	`(?:the )?(?:query|search) (?:returned|found|has) (?:no|0|zero) |` +
	`(?:found|returned) (?:no|0|zero) (?:[\w-]+ ){0,3}?(?:results?|matches|[\w-]+s)\b|` +
	`(?:0|zero) (?:results?|matches|rows|records|items|hits)\b|` +
	`nothing (?:was )?found\b|no (?:results?|matches|matching \w+s|hits|records|rows)\b)`)

// setupWords matches things that a tool itself needs; if one of them is not found, that is a failure.
var setupWords = lazy(`(?i)credential|permission|\brights\b|token|keys?\b|config|setting|argument|parameter|header|` +
	`environment|certificate|device|provider`)

// isNothingFound reports whether a failure is really an empty result: its text says so, or without
// isError it would be one.
func (f *failure) isNothingFound(res *mcp.CallToolResult, arguments map[string]any) bool {
	text := f.text
	if f.members != nil {
		unflagged := *res
		unflagged.IsError = false
		switch category := f.get(spelling.Category).value; {
		case category == "permission", category == "transient":
			return false
		case result.Parse(&unflagged, nil).Kind == result.KindEmpty:
			return true
		}
		text = f.get(spelling.Message, spelling.ErrorText).text()
	}
	found := len(text) < 1000 && nothingWords().MatchString(text) && !setupWords().MatchString(text)
	things := wordsOf(strings.ToLower(nothingWords().FindString(text)))
	// the call named the thing itself: no files matching 'a.js', no users found with id 7
	leaves(arguments, "", func(path string, v any) {
		name, sent := strings.TrimRight(path[strings.LastIndexByte(path, '.')+1:], "[]"), fmt.Sprint(v)
		found = found && !(schema{}.isIdentifier(name) && strings.Contains(text, sent) &&
			slices.ContainsFunc(wordsOf(name), func(word string) bool { return slices.Contains(things, word+"s") }))
	})
	return found
}

// failedWords matches the beginning of a text that reports a failure.
var failedWords = lazy(`(?i)^\W*(?:(?:an? )?(?:(?:internal|unexpected|unknown|fatal|validation|network|server|` +
	`database|api|http|request|tool) )?` +
	`(?:error|exception)(?: (?:while )?\w+ing\b[^:\n]{0,80}| occurred[^:\n]{0,80})?\s?(?::|- )|` +
	`\w+(?:Error|Exception): |traceback \(most recent|failed to \w+|unhandled (?:error|exception|promise)|` +
	`(?:access|permission) denied\b|(?:unauthorized|forbidden)(?:[.:!]|$))`)

// looksFailed reports whether a success is one short text that reports a failure. Matched words
// that contain a text from the arguments do not count: a tool may look up error messages.
func looksFailed(res *mcp.CallToolResult, arguments map[string]any) (text string, failed bool) {
	list := contentTexts(res)
	if len(res.Content) != 1 || len(list) != 1 || len(list[0]) > 2000 {
		return "", false
	}
	words := strings.ToLower(failedWords().FindString(list[0]))
	failed = words != ""
	leaves(arguments, "", func(_ string, v any) {
		sent, _ := v.(string)
		failed = failed && (len(sent) < 3 || !strings.Contains(words, strings.ToLower(sent))) // shorter texts occur anywhere
	})
	return list[0], failed
}

// maxDecoded is the maximum number of bytes of JSON that are searched for null, chosen because a
// model cannot read larger answers.
const maxDecoded = 1 << 20

// nullList returns the path of the first null where output allows a list, "the whole answer" for a
// null text, or "".
func nullList(res *mcp.CallToolResult, output schema) (found string) {
	values := []any{res.StructuredContent}
	for _, text := range contentTexts(res) {
		if strings.TrimSpace(text) == "null" {
			return "the whole answer"
		}
		v, _ := jsonvalue.Decode([]byte(text[:min(len(text), maxDecoded)]))
		values = append(values, v)
	}
	leaves(values, "", func(path string, leaf any) {
		if leaf != nil || found != "" || strings.HasSuffix(path, "[]") {
			return
		}
		place := output
		path = strings.TrimPrefix(path, "[].")
		for step := range strings.SplitSeq(path, ".") {
			name := strings.TrimRight(step, "[]")
			if place = place.property(name); name != step {
				place = place.items()
			}
		}
		if slices.Contains(place.Types(), "array") {
			found = path
		}
	})
	return found
}
