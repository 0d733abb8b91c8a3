package resulttest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failure is a failed result's JSON object, with the members that an agent
// needs, however the server spells them.
type failure struct {
	text    string            // the first text
	members map[string]any    // nil where the text is no JSON object
	found   map[role]memberAt // those that are there
}

// A role is what a member of a failure is for.
type role string

const (
	roleCategory  role = "the category"
	roleRetryable role = "the retryability"
	roleCode      role = "the code"
	roleMessage   role = "the message"
	roleHint      role = "the hint"
)

// A memberAt is where a member stands, and of what type it is.
type memberAt struct {
	path  string
	kind  string
	value any
}

// spellings are the names that package result reads a role by, the envelope's
// own first.
var spellings = []struct {
	role  role
	names []string
}{
	{roleCategory, []string{"errorCategory", "error_category", "category", "class"}},
	{roleRetryable, []string{"isRetryable", "is_retryable", "retryable", "retriable", "recoverable"}},
	{roleCode, []string{"code", "errorCode", "error_code"}},
	{roleMessage, []string{"message", "msg", "error_description", "errorMessage", "error_message", "detail", "title", "description", "error"}},
	{roleHint, []string{"hint", "suggestion", "guidance", "recoveryHint", "help", "agentGuidance", "recovery", "resolution"}},
}

// readFailure reads the first text of a failed result.
func readFailure(res *mcp.CallToolResult) failure {
	f := failure{found: map[role]memberAt{}}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && strings.TrimSpace(t.Text) != "" {
			f.text = t.Text
			break
		}
	}
	if json.Unmarshal([]byte(f.text), &f.members) != nil || f.members == nil {
		f.members = nil
		return f
	}
	// The failure's own members may stand in an object of their own.
	inner, _ := f.members["error"].(map[string]any)
	for _, s := range spellings {
		for _, name := range s.names {
			if v, ok := inner[name]; ok && v != nil {
				f.found[s.role] = memberAt{"error." + name, typeOf(v), v}
				break
			}
			if v, ok := f.members[name]; ok && v != nil && typeOf(v) != "object" {
				f.found[s.role] = memberAt{name, typeOf(v), v}
				break
			}
		}
	}
	return f
}

// lacks returns what the failure does not say.
func (f failure) lacks() []wrong {
	var list []wrong
	if f.members == nil {
		detail := "the failure is a bare text"
		if f.text == "" {
			detail = "the failure has no text at all"
		}
		return []wrong{{KindBareText, detail}}
	}
	category, has := f.found[roleCategory]
	switch word, isWord := category.value.(string); {
	case !has:
		list = append(list, wrong{KindNoCategory, "the failure has no errorCategory"})
	case !isWord || !slices.Contains(categories, toolerr.Category(word)):
		list = append(list, wrong{KindNoCategory, category.path + " is " + clip(jsonOf(category.value), 60)})
	}
	if m, has := f.found[roleRetryable]; !has {
		list = append(list, wrong{KindNoRetryability, "the failure has no isRetryable"})
	} else if m.kind != "boolean" {
		list = append(list, wrong{KindNoRetryability, m.path + " is " + clip(jsonOf(m.value), 60) + ", which is no boolean"})
	}
	if !f.says(roleMessage) {
		list = append(list, wrong{KindNoMessage, "the failure has no message"})
	}
	if !f.says(roleHint) {
		list = append(list, wrong{KindNoHint, "the failure has no hint"})
	}
	return list
}

var categories = []toolerr.Category{toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission}

func (f failure) says(r role) bool {
	m, has := f.found[r]
	text, isText := m.value.(string)
	return has && (!isText || strings.TrimSpace(text) != "")
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
