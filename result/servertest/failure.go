package servertest

import (
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failure is the first text of a failed result.
type failure struct {
	text    string         // blank texts are skipped
	members map[string]any // nil if the text is not a JSON object
}

// A member is a JSON member of a failure. Its path is empty if it is absent.
type member struct {
	path  string
	value any
}

// readFailure reads the first text of a failed result. It returns nil for other results.
func readFailure(res *mcp.CallToolResult) *failure {
	if res == nil || !res.IsError {
		return nil
	}
	f := new(failure)
	for _, text := range contentTexts(res) {
		if strings.TrimSpace(text) != "" {
			f.text = text
			break
		}
	}
	f.members, _ = jsonvalue.Object(f.text)
	return f
}

// get returns the member that has one of these meanings, however it is spelled. The members may be nested in
// an object "error".
func (f *failure) get(meanings ...spelling.Meaning) member {
	if f == nil {
		return member{}
	}
	inner, _ := f.members["error"].(map[string]any)
	for _, meaning := range meanings {
		if m := first(inner, meaning); m.path != "" {
			m.path = "error." + m.path
			return m
		}
		if m := first(f.members, meaning); m.path != "" {
			return m
		}
	}
	return member{}
}

// first returns the first member of an object with a meaning that is not null or an object.
func first(members map[string]any, meaning spelling.Meaning) member {
	for _, known := range spelling.Names(meaning) {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if v := members[name]; v != nil && spelling.Fold(name) == known && jsonvalue.TypeOf(v) != "object" {
				return member{name, v}
			}
		}
	}
	return member{}
}

// text returns the member's text, or "" if it is not a string.
func (m member) text() string {
	text, _ := m.value.(string)
	return text
}

// isBlank reports whether a member is absent or blank.
func (m member) isBlank() bool {
	_, isText := m.value.(string)
	return m.path == "" || isText && strings.TrimSpace(m.text()) == ""
}

// textOf returns the text of the member with exactly this name, or "".
func (f *failure) textOf(name string) string {
	if f == nil {
		return ""
	}
	return member{name, f.members[name]}.text()
}

var categories = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// defects lists missing or invalid required members.
func (f *failure) defects() (list []string) {
	category, retryable := f.get(spelling.Category), f.get(spelling.Retryable)
	if category.path == "" {
		list = append(list, "no errorCategory")
	} else if !slices.Contains(categories, toolerr.Category(category.text())) {
		list = append(list, "the unknown "+category.path+" "+clip(jsonOf(category.value), 60))
	}
	if retryable.path == "" {
		list = append(list, "no isRetryable")
	} else if jsonvalue.TypeOf(retryable.value) != "boolean" {
		list = append(list, "the "+retryable.path+" "+clip(jsonOf(retryable.value), 60)+", not a boolean")
	}
	if f.get(spelling.Message, spelling.ErrorText).isBlank() {
		list = append(list, "no message")
	}
	return list
}
