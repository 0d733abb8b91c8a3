package foreign

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Success reads a result without isError. It returns an error if the result says nothing but that
// the call failed, or one with a Partial if some items failed. It reports whether the result says
// that nothing was found. Any other result is data.
func Success(res *mcp.CallToolResult) (e *toolerr.Error, empty bool) {
	text := FirstText(res)
	object, isObject := res.StructuredContent.(map[string]any)
	switch {
	case len(res.Content) == 0 && !isObject:
		return nil, isZero(res.StructuredContent)
	case len(res.Content) > 1 && !isObject:
		return nil, false
	case len(text) > maxObject && !isObject:
		return nil, false
	case len(res.Content) == 1 && looksLikeJSON(text):
		return readJSON(text)
	case !isObject || repeats(object, text):
		return nil, isNothing(text)
	}
	return readObject(object)
}

// Mistaken returns the failure or the partial result that [Success] would read from a result, or
// nil. Most results prove to be data without being decoded.
func Mistaken(res *mcp.CallToolResult) *toolerr.Error {
	raw, isRaw := res.StructuredContent.(json.RawMessage)
	text := FirstText(res)
	isJSON := looksLikeJSON(text)
	if isRaw && (!isJSON || text == string(raw)) && !sketch(raw).mayReport() {
		return nil
	}
	if bytes.HasPrefix(raw, []byte("{")) { // as a client gets it
		as, object := *res, map[string]any{} // not read beside a JSON text
		if len(res.Content) != 1 || !isJSON {
			object, _ = jsonvalue.Object(string(raw))
		}
		as.StructuredContent = object
		res = &as
	}
	e, _ := Success(res)
	return e
}

func looksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '[' {
		return text != "" && text[0] == '{'
	}
	rest := strings.TrimLeft(text[1:], " \t\r\n") // prose may begin with [Section 4]
	return rest == "" || strings.ContainsRune(`]{["-0123456789tfn`, rune(rest[0]))
}

// repeats reports whether an object only repeats the text in a member, as frameworks do for
// tools that return text.
func repeats(m map[string]any, text string) bool {
	for _, v := range m {
		s, ok := v.(string)
		return ok && len(m) == 1 && s == text
	}
	return false
}

// readJSON reads JSON text from a result without isError.
func readJSON(text string) (e *toolerr.Error, empty bool) {
	raw := []byte(text)
	if s := sketch(raw); !s.mayReport() && !s.mayBeEmpty(len(raw)) {
		return nil, false
	}
	v, ok := jsonvalue.Decode(raw)
	if m, isObject := v.(map[string]any); isObject {
		return readObject(m)
	}
	if p := partialItems(v); p != nil {
		return partialError(p), false
	}
	return nil, ok && isEmpty(v)
}

// readObject reads an object from a result without isError.
func readObject(m map[string]any) (e *toolerr.Error, empty bool) {
	if e := failureIn(m); e != nil {
		return e, false
	}
	if p := partialIn(m, false); p != nil {
		return partialError(p), false
	}
	return nil, isEmpty(m)
}

// failureIn returns the failure that such an object reports if it says that the call failed and
// contains nothing else, otherwise nil. Only category, code and message are taken from it, because
// a server may echo its input.
func failureIn(m map[string]any) *toolerr.Error {
	clear := isMarkedFailed(m)
	for name, v := range m {
		if isData(name, v, clear) {
			return nil
		}
	}
	own, all := layersOf(m)
	e := reader{prose: true}.kind(m, own, all)
	if !saysFailed(m, e.Category) {
		return nil
	}
	return &toolerr.Error{Category: e.Category, Code: e.Code, Message: e.Message, Effect: toolerr.EffectUnknown}
}

// isMarkedFailed reports whether an object is marked as a failure. A text under error does not
// count: records of jobs and checks have one too.
func isMarkedFailed(m map[string]any) bool {
	_, isObject := m["error"].(map[string]any)
	return isObject || m["success"] == false || m["ok"] == false || m["error"] == true || isWord(m["status"], "error") ||
		hasAny(m, "errorMessage", "error_message")
}

// isData reports whether a member cannot be part of a failure report. Beside a clear mark of a
// failure, neither a number nor a short text is data.
func isData(name string, v any, clear bool) bool {
	if isReportName(name) || isZero(v) {
		inner, isObject := v.(map[string]any)
		for name, v := range inner {
			if isObject && isData(name, v, clear) && (name == "data" || name == "partial") {
				return true
			}
		}
		return false
	}
	s, _ := v.(string)
	_, isContainer := size(v)
	return isContainer || !clear || len(s) > maxShort || strings.Contains(s, "\n")
}

// isReportName reports whether a member's name occurs in reports.
func isReportName(name string) bool {
	lower := strings.ToLower(name)
	return reportNames()[name] || besideNames()[name] || strings.HasSuffix(lower, "id") || strings.Contains(lower, "error")
}

// saysFailed reports whether an object without data says that the call failed. If success is false,
// a message counts only if it rejects the call; otherwise it may be a check's finding.
func saysFailed(m map[string]any, c toolerr.Category) bool {
	inner, _ := m["error"].(map[string]any)
	text, _ := m["error"].(string)
	errors, _ := m["errors"].([]any)
	status, _ := number(m["status"])
	switch {
	case m["success"] == true || m["ok"] == true:
		return false
	case text != "" && !isWord(text, "none", "null", "ok", "false", "no"), hasAny(inner, "message", "code", "type", "msg"), hasAny(m, "errorMessage", "error_message"):
		return true
	case m["isError"] == true:
		return m["errorCategory"] != nil && m["isRetryable"] != nil && m["message"] != nil
	case m["object"] == "error", isWord(m["status"], "error"):
		return hasAny(m, spelling.Message...)
	case len(errors) > 0:
		return m["data"] == nil && isErrorList(errors)
	case status >= 400 && status < 600:
		return hasAny(m, "title", "detail", "documentation_url") || m["message"] != nil && m["code"] != nil
	case m["ok"] == false, m["error"] == true, len(m) == 1 && m["detail"] != nil:
		return c != ""
	}
	return m["success"] == false && c != "" && c != toolerr.CategoryTransient
}

// isErrorList reports whether a list holds an API's errors, and not the findings of a linter.
func isErrorList(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		e, _ := v.(map[string]any)
		return e["message"] == nil || !hasAny(e, "code", "extensions", "locations", "status", "type", "reason", "domain")
	})
}
