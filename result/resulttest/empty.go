package resulttest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// nothingWords are how tools say that a search has no hits. A singular, as in
// "No customer found with id 7", may be a reference that had to exist.
var nothingWords = regexp.MustCompile(`(?i)^\W*(?:(?:error|warning)\W+)?(?:` +
	`no (?:[\w-]+ ){0,4}?(?:results?|data|[\w-]{2,}s)(?: (?:was|were|are|could be|have been))? (?:found|match(?:ed|ing)?|available|returned)\b|` +
	`(?:the )?(?:query|search) (?:returned|found|has) (?:no|0|zero) |` +
	`(?:found|returned) (?:no|0|zero) (?:[\w-]+ ){0,3}?(?:results?|matches|[\w-]+s)\b|` +
	`(?:0|zero) (?:results?|matches|rows|records|items|hits)\b|` +
	`nothing (?:was )?found\b|no (?:results?|matches|matching \w+s|hits|records|rows)\b)`)

// setupWords are about what a tool needs itself: that there are none is a
// failure.
var setupWords = regexp.MustCompile(`(?i)credential|permission|\brights\b|token|keys?\b|config|setting|argument|parameter|header|environment|certificate|device|provider`)

// saysNothingFound reports whether a failure is an empty answer: in its words, or
// because the only list that it carries is empty.
func (f failure) saysNothingFound() bool {
	text := f.text
	if f.members != nil {
		text = ""
		if m, ok := f.found[roleMessage]; ok {
			text, _ = m.value.(string)
		}
		if category, _ := f.found[roleCategory].value.(string); category == "permission" || category == "transient" {
			return false
		}
		lists := 0
		for name, v := range f.members {
			if list, ok := v.([]any); ok && !slices.Contains(envelopeLists, name) {
				if len(list) > 0 {
					return false
				}
				lists++
			}
		}
		if lists == 1 && f.found[roleCategory].path == "" {
			return true
		}
	}
	return len(text) < 1000 && nothingWords.MatchString(text) && !setupWords.MatchString(text)
}

// envelopeLists are lists that a failure has of its own.
var envelopeLists = []string{
	"suggestions", "options", "alternatives", "attempted", "errors", "details", "warnings", "candidates", "available", "hints", "issues",
}

// failedWords are how tools put a failure into a text that is not marked as one.
var failedWords = regexp.MustCompile(`(?i)^\W*(?:(?:an? )?(?:(?:internal|unexpected|unknown|fatal|validation|network|server|database|api|http|request|tool) )?` +
	`(?:error|exception)(?: (?:while )?\w+ing\b[^:\n]{0,80}| occurred[^:\n]{0,80})?\s?(?::|- )|` +
	`\w+(?:Error|Exception): |traceback \(most recent|failed to \w+|unhandled (?:error|exception|promise)|` +
	`(?:access|permission) denied\b|(?:unauthorized|forbidden)(?:[.:!]|$)|[^\n]{1,300}: error - )`)

// looksFailed reports whether a success that is one short text says that the
// call has failed.
func looksFailed(res *mcp.CallToolResult) (text string, yes bool) {
	if len(res.Content) != 1 {
		return "", false
	}
	t, ok := res.Content[0].(*mcp.TextContent)
	if !ok || len(t.Text) > 2000 {
		return "", false
	}
	return t.Text, failedWords.MatchString(t.Text)
}

// maxDecoded is how many bytes of JSON are looked through for null. Chosen: larger
// answers no model can read.
const maxDecoded = 1 << 20

// nullList returns the place of the first null that stands for an empty list in
// a success, or nothing.
func nullList(res *mcp.CallToolResult, output schema) string {
	if place := output.nullIn(res.StructuredContent, "", 0); place != "" {
		return place
	}
	for _, c := range res.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || len(t.Text) > maxDecoded {
			continue
		}
		if strings.TrimSpace(t.Text) == "null" {
			return "the whole answer"
		}
		var v any
		if json.Unmarshal([]byte(t.Text), &v) == nil {
			if place := output.nullIn(v, "", 0); place != "" {
				return place
			}
		}
	}
	return ""
}

// nullIn looks for null where the output schema has a list or, where it says
// nothing of the place, under a name in the plural.
func (s schema) nullIn(v any, place string, depth int) string {
	if depth > 8 {
		return ""
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			inner, known := s.property(name)
			at := join(place, name)
			if v[name] == nil && (known && inner.allows("array") || !known && plural(name)) {
				return at
			}
			if found := inner.nullIn(v[name], at, depth+1); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range v[:min(len(v), 100)] {
			if found := s.items().nullIn(item, place+"[]", depth+1); found != "" {
				return found
			}
		}
	}
	return ""
}

var plurals = regexp.MustCompile(`(?i)^(?:items|results|entries|records|rows|matches|hits|list|data|[a-z_]*[a-z]{2}[^siu]s)$`)

// singulars end like plurals.
var singulars = []string{"address", "status", "progress", "access", "success", "process", "details", "settings", "news", "canvas", "alias", "bias", "expires", "always", "previous", "has", "args", "props"}

// plural reports whether a member's name is that of a list.
func plural(name string) bool {
	lower := strings.ToLower(name)
	return plurals.MatchString(name) && !slices.ContainsFunc(singulars, func(s string) bool { return strings.HasSuffix(lower, s) })
}
