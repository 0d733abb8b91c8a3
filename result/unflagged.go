package result

import (
	"strings"
	"unicode"
)

// reportMembers are members that a report of a failure has beside its error.
var reportMembers = map[string]bool{
	"error": true, "errors": true, "message": true, "msg": true, "code": true, "status": true, "statusCode": true, "status_code": true,
	"detail": true, "details": true, "hint": true, "success": true, "ok": true, "type": true, "title": true, "instance": true,
	"requested": true, "available": true, "request_id": true, "requestId": true, "object": true, "reason": true, "result": true, "data": true,
	"suggestions": true, "suggestion": true, "messages": true, "retryable": true, "isRetryable": true, "isError": true, "candidates": true,
	"options": true, "context": true, "meta": true, "documentation_url": true, "help": true, "field": true, "timestamp": true, "path": true,
	"errorCategory": true, "category": true, "errorCode": true, "error_code": true, "error_description": true, "effect": true, "customerMessage": true,
	"retryAfterMs": true, "retry_after": true, "retry_after_seconds": true, "retry_after_ms": true, "correlationId": true, "idempotencyKey": true,
	"alternatives": true, "attempted": true, "partial": true, "user_identifier": true, "trace_id": true, "request": true,
}

// saysFailure reports whether an object says of itself that it reports a
// failure, in a result that is not flagged as one: nothing beside it may look
// like data.
func saysFailure(m map[string]any) bool {
	for _, name := range []string{"success", "ok"} {
		if v, isBool := m[name].(bool); isBool {
			return !v && !holdsData(m, false) && (len(m) == 1 || m["error"] != nil || m["errors"] != nil || m["message"] != nil || m["code"] != nil || m["reason"] != nil || m["detail"] != nil)
		}
	}
	if holdsData(m, true) {
		return false
	}
	if v, ok := m["isError"].(bool); ok && v {
		return true
	}
	switch v := m["error"].(type) {
	case string:
		return strings.ContainsFunc(v, unicode.IsLetter)
	case map[string]any:
		return v["message"] != nil || v["code"] != nil
	}
	if s, ok := m["status"].(string); ok && (strings.EqualFold(s, "error") || strings.EqualFold(s, "failed")) && m["message"] != nil {
		return true
	}
	if s, ok := m["object"].(string); ok && s == "error" {
		return true
	}
	n, ok := number(m["status"])
	return ok && n >= 400 && n < 600 && (m["title"] != nil || m["detail"] != nil || m["message"] != nil && m["code"] != nil)
}

// holdsData reports whether an object has a member that no report of a failure
// has: with scalars of any kind, else one that holds others.
func holdsData(m map[string]any, scalars bool) bool {
	for name, v := range m {
		if reportMembers[name] {
			continue
		}
		switch v := v.(type) {
		case []any:
			if len(v) > 0 {
				return true
			}
		case map[string]any:
			if len(v) > 0 {
				return true
			}
		default:
			if scalars {
				return true
			}
		}
	}
	return false
}
