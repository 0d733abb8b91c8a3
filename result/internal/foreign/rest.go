package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// Beside returns the structured content of a success as JSON, or "" if it has none, it says nothing,
// or a text repeats it.
func Beside(res *mcp.CallToolResult) string {
	if res.StructuredContent == nil {
		return ""
	}
	raw, _ := jsonvalue.Marshal(res.StructuredContent) // an author's value may not encode
	v := decoded(string(raw))
	m, isObject := v.(map[string]any)
	if v == nil || len(res.Content) > 0 && isObject && len(m) == 0 {
		return ""
	}
	for text := range Texts(res) {
		if reflect.DeepEqual(decoded(text), v) || repeats(m, text) {
			return ""
		}
	}
	return string(raw)
}

// decoded decodes JSON as the SDK's client does, which does not keep all digits of large numbers. Of other
// text, it returns nil.
func decoded(text string) (v any) {
	_ = json.Unmarshal([]byte(text), &v)
	return v
}

// reportParts lists the members that contain a part of a report. What remains in the first three
// moves up one level, unless that would hide a member.
var reportParts = []string{"error", "detail", "details", "data", "recovery", "partial"}

// Rest returns the members of a failure report that its envelope lacks; both are decoded from JSON.
// A flag about a retry is omitted even if the envelope's differs: the tool's server decides about it.
func Rest(report, envelope map[string]any) map[string]any {
	rest := map[string]any{}
	maps.Copy(rest, report)
	maps.DeleteFunc(rest, func(name string, v any) bool {
		_, isObject := v.(map[string]any)
		return isObject && slices.Contains(reportParts, name) || holds(envelope, name, v)
	})
	for i, name := range reportParts {
		part, isObject := report[name].(map[string]any)
		if !isObject {
			continue
		}
		part = Rest(part, envelope)
		for inner, v := range part {
			if i < 3 && report[inner] == nil && rest[inner] == nil {
				rest[inner] = v
				delete(part, inner)
			}
		}
		if len(part) > 0 {
			rest[name] = part
		}
	}
	return rest
}

// holds reports whether an envelope contains a member, under any name.
func holds(envelope map[string]any, name string, v any) bool {
	list, _ := v.([]any)
	n, isContainer := size(v)
	text := ""
	if !isContainer {
		text = sanitize.Text(fmt.Sprint(v), math.MaxInt)
	}
	flag, isFlag := answers.Bool(text)
	switch {
	case v == nil, isContainer && n == 0, reflect.DeepEqual(envelope[name], v),
		isFlag && spelling.Means(name, spelling.Retryable):
		return true
	case name == "errors" && len(list) == 1:
		m, ok := list[0].(map[string]any)
		return ok && len(Rest(m, envelope)) == 0 || holds(envelope, "error", list[0])
	case v == any(flag): // a mark of the failure
		names := map[bool]string{true: " iserror error failed ", false: " success ok "}[flag]
		return strings.Contains(names, " "+spelling.Fold(name)+" ")
	}
	isSame := func(held any) bool {
		return reflect.DeepEqual(held, v) || !isContainer && strings.EqualFold(fmt.Sprint(held), text)
	}
	partial, _ := envelope["partial"].(map[string]any)
	values := slices.AppendSeq(slices.Collect(maps.Values(envelope)), maps.Values(partial))
	after := answers.Read(map[string]any{name: v}).After
	ms, _ := answers.Number(envelope["retryAfterMs"])
	isDelay := after > 0 && time.Duration(ms*float64(time.Millisecond)) == after
	return answers.IsKnown(name) && (answers.IsState(text) || slices.ContainsFunc(values, isSame)) ||
		!isContainer && (isDelay || text == "" || text == envelope["message"])
}
