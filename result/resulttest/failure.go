package resulttest

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failure is a failed result's JSON object, with the members that an agent
// needs, however the server spells them.
type failure struct {
	text    string         // the first that is not blank
	members map[string]any // nil if the text is no JSON object
}

// A role is what a member of a failure is for.
type role int

const (
	roleCategory role = iota
	roleRetryable
	roleCode
	roleMessage
	roleHint
)

// roles have a name for findings, and the names that package result reads the member
// by, the envelope's own first.
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

// A member is one of a failure's, and its path. A member that is not there has none.
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

// get returns the member of a role. The failure's own members may be in an object of
// their own, error.
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

// violations returns what the failure does not say.
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
	if f.get(roleMessage).blank() {
		add(KindNoMessage, "the failure has no message")
	}
	if f.get(roleHint).blank() {
		add(KindNoHint, "the failure has no hint")
	}
	return list
}

var categories = []toolerr.Category{toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission}

// blank reports whether a member is not there, or says nothing.
func (m member) blank() bool {
	text, isText := m.value.(string)
	return m.path == "" || isText && strings.TrimSpace(text) == ""
}
