package foreign

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/refusal"
)

// text reads the text of a failure, and a report at its end, such as API error: {"error": ...}. The
// report may be an echoed argument: it can forbid a retry, but never allow one.
func (r reader) text(text string) classify.Reading {
	if !r.prose || text == "" {
		return classify.Reading{}
	}
	text = unframe(text)
	if refusal.IsOutput(text) {
		return classify.Reading{Classification: classify.Internal(), Forbids: true}
	}
	words := classify.Text(text)
	m := embedded(text)
	if m == nil {
		return words
	}
	said := r.classify(answers.Read(m))
	if said.Known() && (!words.Known() && !words.Forbids || !said.Retryable && !forbids(words.Classification)) {
		said.Retryable = false
		words.Classification, words.Forbids = said, true
	}
	return words
}

// embedded returns the JSON object at a longer text's end, or nil. Before text, it is a quotation.
func embedded(text string) map[string]any {
	const longest = 4 << 10 // as much text as is classified
	i := strings.IndexByte(text[:min(len(text), longest)], '{')
	if i <= 0 || !strings.ContainsRune(" \n(:", rune(text[i-1])) {
		return nil
	}
	text = strings.TrimRight(text[i:min(len(text), i+longest)], ".) \n")
	m, _ := jsonvalue.Object(text)
	return m
}

// frames matches the prefixes that adapters and SDKs put before an error's text, some with the name
// of the tool or a code. A text has at most four: from an SDK, an adapter, a host, and one more.
var frames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:` + strings.Join([]string{
		"###? Error", "An error occurred during the tool execution: ", "Tool error: ", "Tool execution error: ",
		"Tool failed: ", "Tool execution failed: ", "ToolError: ", "Error: ", "ERROR: ",
		`(?:Error executing tool|Error calling tool|MCP error) [^ \n]{1,140}: `,
	}, "|") + `)\s*){1,4}`)
})

// unframe removes the known prefixes from a text.
func unframe(text string) string { return text[len(frames().FindString(text)):] }
