package result

import (
	"strings"
)

// reportMembers are members that a report of a failure has beside its error.
var reportMembers = map[string]bool{
	"error": true, "errors": true, "message": true, "msg": true, "code": true, "status": true, "statusCode": true, "status_code": true,
	"detail": true, "details": true, "hint": true, "success": true, "ok": true, "type": true, "title": true, "instance": true,
	"requested": true, "available": true, "request_id": true, "requestId": true, "object": true, "reason": true, "result": true, "data": true,
	"suggestions": true, "suggestion": true, "messages": true, "retryable": true, "isRetryable": true, "isError": true, "candidates": true,
	"options": true, "context": true, "meta": true, "documentation_url": true, "help": true, "field": true, "timestamp": true, "path": true,
}

// saysFailure reports whether an object says of itself that it reports a
// failure, in a result that is not flagged as one.
func saysFailure(m map[string]any) bool {
	for _, name := range []string{"success", "ok"} {
		if v, ok := m[name].(bool); ok {
			return !v
		}
	}
	if v, ok := m["isError"].(bool); ok && v {
		return true
	}
	for name, v := range m {
		if reportMembers[name] {
			continue
		}
		switch v := v.(type) {
		case []any:
			if len(v) > 0 {
				return false
			}
		case map[string]any:
			if len(v) > 0 {
				return false
			}
		}
	}
	switch v := m["error"].(type) {
	case string:
		return v != "" && len(m) <= 6
	case map[string]any:
		return len(v) > 0 && len(m) <= 6
	}
	if s, ok := m["status"].(string); ok && (strings.EqualFold(s, "error") || strings.EqualFold(s, "failed")) && m["message"] != nil {
		return len(m) <= 6
	}
	if s, ok := m["object"].(string); ok && s == "error" {
		return true
	}
	if n, ok := number(m["status"]); ok && n >= 400 && n < 600 && (m["title"] != nil || m["detail"] != nil || m["message"] != nil && m["code"] != nil) {
		return len(m) <= 8
	}
	return false
}
