package result

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A reportError is a failure as another server words it, in a shape that
// [toolerr.From] understands: a code, an HTTP status, a SQLSTATE.
type reportError struct {
	Code       string
	StatusCode int
	state      string
	text       string
}

// Error implements error. It is the text that goes with a SQLSTATE.
func (r *reportError) Error() string { return r.text }

// SQLState returns the SQLSTATE, or nothing.
func (r *reportError) SQLState() string { return r.state }

// judge returns what From makes of a code and status, or nil where that is
// nothing.
func judge(code string, status int) *toolerr.Error {
	e := toolerr.From(&reportError{Code: code, StatusCode: status})
	if e.Code == toolerr.CodeInternal {
		return nil
	}
	return e
}

// failureIn reads a JSON object that reports a failure. Flagged says that the
// result itself has isError set; without that the object has to say so, and
// nothing beside it may look like data.
func failureIn(m map[string]any, flagged bool) (*toolerr.Error, bool) {
	if !flagged && !saysFailure(m) {
		return nil, false
	}
	o := layersOf(m)
	message := o.text("message", "msg", "error_description", "detail", "title", "description", "errorMessage", "error_message")
	var codes []string
	if message == "" {
		message = o.all().text("message", "msg", "detail")
	}
	if s, ok := m["error"].(string); ok {
		if isCode(s) {
			codes = append(codes, s)
		} else if message == "" || message == m["message"] && !flagged {
			message = s
		}
	}
	if list, ok := m["errors"].([]any); ok && message == "" && len(list) > 0 {
		message, _ = list[0].(string)
	}
	for _, layer := range o.layers {
		for _, name := range []string{"code", "error_code", "errorCode", "reason", "type", "errorType", "error_type", "status", "kind"} {
			if s, ok := layer[name].(string); ok && isCode(s) && !isState(s) && (strings.HasSuffix(strings.ToLower(name), "code") || mayBeCode(s)) {
				codes = append(codes, s)
			}
		}
	}
	status := 0
	for _, name := range []string{"status", "statusCode", "status_code", "http_status", "httpStatus", "code"} {
		if n, ok := number(o.get(name)); ok && n >= 400 && n < 600 && status == 0 {
			status = int(n)
		}
	}
	e := read(codes, status, message, o)
	fill(e, o, m, codes, flagged)
	if !flagged {
		// Nobody has said that the call failed, and a server may echo what it was
		// sent: what it claims may forbid a retry, never allow one.
		e.Effect = toolerr.EffectUnknown
		if _, claimed := flag(o.get("isRetryable", "retryable", "retriable", "is_retryable", "recoverable")); claimed {
			e.Retryable = false
		}
	}
	if e.Message == "" {
		e.Message = message
	}
	return e, true
}

// read judges by codes, then the status, then words; by the words' meaning
// before a bare status.
func read(codes []string, status int, message string, o object) *toolerr.Error {
	for _, code := range codes {
		if domainWords[strings.ToLower(code)] {
			continue
		}
		if e := judge(code, status); e != nil && (status == 0 || judge(code, 0) != nil) {
			return renamed(e, message)
		}
	}
	byText := readText(message)
	if byText.Category == "" {
		byText = readText(o.all().text("hint", "recovery", "detail"))
		byText.Message = message
		byText.Retryable = false
	}
	byStatus := judge("", status)
	forbids := byText.Category != "" && byText.Category != toolerr.CategoryTransient
	if byStatus == nil || specific(byText) && byText.Category != byStatus.Category || forbids && byStatus.Retryable {
		return byText
	}
	e := renamed(byStatus, message)
	e.Retryable = e.Retryable && !refusal.MatchString(message[:min(len(message), maxRead)])
	return e
}

// mayBeCode reports whether a status, type, reason or kind is a code and not a
// state of the server's own business: it forbids a retry, or is one of the words
// that only codes are.
func mayBeCode(s string) bool {
	e := judge(s, 0)
	return e == nil || !e.Retryable || e.Code == toolerr.CodeRateLimited || s == strings.ToUpper(s) || strings.HasPrefix(strings.ToLower(s), "overloaded")
}

// domainWords are codes of some library that elsewhere are words of the trade.
var domainWords = map[string]bool{
	"accepted": true, "busy": true, "backend": true, "network": true, "transport": true, "circuit": true, "not_ready": true,
	"notready": true, "try_again": true, "tryagain": true, "aborted": true,
}

// specific reports whether words say more than a status can.
func specific(e *toolerr.Error) bool {
	return e.Category == toolerr.CategoryBusiness || e.Code == toolerr.CodeRateLimited
}

func renamed(e *toolerr.Error, message string) *toolerr.Error {
	c := *e.WithMessage(message).WithCause(nil)
	return &c
}

// isCode reports whether s is a word to branch on rather than a sentence.
func isCode(s string) bool {
	if len(s) < 2 || len(s) > 80 || strings.ContainsAny(s, " \t\n:/") {
		return false
	}
	c := s[0]
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isState reports whether a status or type says only that something failed.
func isState(s string) bool {
	switch strings.ToLower(s) {
	case "error", "failed", "failure", "fail", "ok", "success", "exception", "text", "object", "string":
		return true
	}
	return false
}
