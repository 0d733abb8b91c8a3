package foreign

import (
	"slices"
	"strings"
	"unicode"
)

// saysFailure reports whether an object says of itself that it reports a failure,
// in a result that is not flagged as one: nothing beside it may look like data.
func saysFailure(m map[string]any) bool {
	for _, name := range []string{"success", "ok"} {
		if success, ok := m[name].(bool); ok {
			return !success && !holdsData(m, false) && (len(m) == 1 || hasAny(m, "error", "errors", "message", "code", "reason", "detail"))
		}
	}
	if holdsData(m, true) {
		return false
	}
	if m["isError"] == true {
		return true
	}
	switch v := m["error"].(type) {
	case string:
		return strings.ContainsFunc(v, unicode.IsLetter)
	case map[string]any:
		return hasAny(v, "message", "code")
	}
	text, _ := m["status"].(string)
	if strings.EqualFold(text, "error") || strings.EqualFold(text, "failed") {
		return m["message"] != nil || m["object"] == "error"
	}
	n, _ := number(m["status"])
	return m["object"] == "error" ||
		n >= 400 && n < 600 && (hasAny(m, "title", "detail") || m["message"] != nil && m["code"] != nil)
}

func hasAny(m map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m[name] != nil })
}

// holdsData reports whether an object has a member that no report of a failure
// has: with scalars of any kind, else one that holds others.
func holdsData(m map[string]any, scalars bool) bool {
	for name, v := range m {
		if reportMembers()[name] {
			continue
		}
		if n, ok := size(v); n > 0 || !ok && scalars {
			return true
		}
	}
	return false
}

// size returns how many values a list or an object holds, and whether v is one.
func size(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// reportMembers are members that a report of a failure has beside its error.
var reportMembers = set(`
	error errors message msg code status statusCode status_code detail details hint success ok type title instance
	requested available request_id requestId object reason result data suggestions suggestion messages retryable isRetryable
	isError candidates options context meta documentation_url help field timestamp path errorCategory category errorCode
	error_code error_description effect customerMessage retryAfterMs retry_after retry_after_seconds retry_after_ms
	correlationId idempotencyKey alternatives attempted partial user_identifier trace_id request`)
