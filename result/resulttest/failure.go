package resulttest

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failure is the JSON object of a failed result.
type failure struct {
	text    string         // the first that is not blank
	members map[string]any // nil if the text is not a JSON object
}

// A role is the meaning of a member, independent of its spelling.
type role int

const (
	roleCategory role = iota
	roleRetryable
	roleCode
	roleMessage
	roleHint
)

// roles have a name for findings, and the spellings that package result reads, the
// envelope's own first.
var roles = [...]struct {
	name      string
	spellings []string
}{
	roleCategory:  {"the category", []string{"errorCategory", "error_category", "category", "class"}},
	roleRetryable: {"the retryability", []string{"isRetryable", "is_retryable", "retryable", "retriable", "recoverable"}},
	roleCode:      {"the code", []string{"code", "errorCode", "error_code"}},
	roleMessage:   {"the message", []string{"message", "msg", "error_description", "errorMessage", "error_message", "detail", "title", "description", "error"}},
	roleHint:      {"the hint", []string{"hint", "suggestion", "guidance", "recoveryHint", "help", "agentGuidance", "recovery", "resolution"}},
}

// A member is a member of a failure. The path is empty if it is absent.
type member struct {
	path  string
	value any
}

// readFailure reads the first text of a failed result.
func readFailure(res *mcp.CallToolResult) failure {
	var f failure
	for _, text := range contentTexts(res) {
		if strings.TrimSpace(text) != "" {
			f.text = text
			break
		}
	}
	if members, ok := jsonvalue.Object(f.text); ok {
		f.members = members
	}
	return f
}

// get returns the member with a role. The members may be nested in an object "error".
func (f failure) get(r role) member {
	inner, _ := f.members["error"].(map[string]any)
	for _, name := range roles[r].spellings {
		if v := inner[name]; v != nil {
			return member{"error." + name, v}
		}
		if v := f.members[name]; v != nil && jsonvalue.TypeOf(v) != "object" {
			return member{name, v}
		}
	}
	return member{}
}

// violations returns the missing and invalid members of the failure.
func (f failure) violations() (list []violation) {
	add := func(kind Kind, detail string) { list = append(list, violation{kind: kind, detail: detail}) }
	switch {
	case f.text == "":
		add(KindBareText, "the failure has no text")
		return list
	case f.members == nil:
		add(KindBareText, "the failure is plain text")
		return list
	}
	category := f.get(roleCategory)
	if word, _ := category.value.(string); category.path == "" {
		add(KindNoCategory, "the failure has no errorCategory")
	} else if !slices.Contains(categories, toolerr.Category(word)) {
		add(KindNoCategory, category.path+" is "+clip(jsonOf(category.value), 60))
	}
	retryable := f.get(roleRetryable)
	if _, isBool := retryable.value.(bool); retryable.path == "" {
		add(KindNoRetryability, "the failure has no isRetryable")
	} else if !isBool {
		add(KindNoRetryability, retryable.path+" is "+clip(jsonOf(retryable.value), 60)+", not a boolean")
	}
	if f.get(roleMessage).isBlank() {
		add(KindNoMessage, "the failure has no message")
	}
	if f.get(roleHint).isBlank() {
		add(KindNoHint, "the failure has no hint")
	}
	return list
}

var categories = []toolerr.Category{toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission}

// isBlank reports whether a member is absent or a blank text.
func (m member) isBlank() bool {
	text, isText := m.value.(string)
	return m.path == "" || isText && strings.TrimSpace(text) == ""
}
