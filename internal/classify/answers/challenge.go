package answers

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// maxScope is the maximum length of the scopes, in bytes. A request needs only a few scopes.
const maxScope = 512

// challenge classifies the error parameter of the WWW-Authenticate header (RFC 6750, section 3),
// and returns the required scopes if it is insufficient_scope.
func challenge(h http.Header) (c class.Class, scopes string) {
	for _, value := range h.Values("Www-Authenticate") {
		params := authParams(value)
		switch params["error"] {
		case "insufficient_scope":
			if scopes = params["scope"]; !isScope(scopes) {
				scopes = ""
			}
			return class.InsufficientScope, scopes
		case "invalid_token":
			c = class.Unauthenticated
		}
	}
	return c, ""
}

// authParams returns the parameters of a header's challenges by their lower-case names (RFC 9110,
// section 11.2). If a name occurs more than once, the first value counts.
func authParams(value string) map[string]string {
	params := map[string]string{}
	for name, more := "", true; more; {
		if name, value, more = strings.Cut(value, "="); !more {
			break
		}
		name = strings.TrimSpace(name)
		name = strings.ToLower(name[strings.LastIndexAny(name, " \t,\"")+1:])
		value = strings.TrimSpace(value)
		ends, start, end := " \t,\"", 0, 0
		if strings.HasPrefix(value, `"`) {
			ends, start, end = `"`, 1, 1
		}
		for end < len(value) && !strings.Contains(ends, value[end:end+1]) {
			if value[end] == '\\' {
				end++
			}
			end = min(end+1, len(value))
		}
		if params[name] == "" {
			params[name] = strings.TrimSpace(value[start:end])
		}
		value = value[end:]
	}
	return params
}

// isScope reports whether a text is a list of scopes (RFC 6749, section 3.3).
func isScope(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return len(text) <= maxScope
}
