package answers

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// maxScope is the maximum length of a scope in bytes. Chosen: a request needs a few scopes.
const maxScope = 512

// challenge classifies the error parameter of the WWW-Authenticate header (RFC 6750,
// section 3), and returns the scope that it requires.
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

// authParams returns the parameters of a header's challenges by their lower-case names (RFC
// 9110, section 11.2). If a name occurs more than once, the first value is returned.
func authParams(value string) map[string]string {
	params := map[string]string{}
	for len(value) > 0 {
		name, rest, ok := strings.Cut(value, "=")
		if !ok {
			break
		}
		name = strings.ToLower(name[strings.LastIndexAny(name, " ,")+1:])
		var v string
		if rest, ok = strings.CutPrefix(rest, `"`); ok {
			v, value = quotedString(rest)
		} else {
			v, value, _ = strings.Cut(rest, ",")
		}
		if _, ok := params[name]; !ok {
			params[name] = strings.TrimSpace(v)
		}
	}
	return params
}

// quotedString returns the quoted-string whose opening quote precedes text, and the rest
// behind its closing quote.
func quotedString(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:]
		case '\\':
			if i++; i == len(text) {
				return b.String(), ""
			}
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
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
