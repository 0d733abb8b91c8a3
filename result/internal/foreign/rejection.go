package foreign

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// refusal is how the SDK's HTTP transport words what ends its session: an answer that it
// cannot take to a request, or to the stream for what a server says by itself. Such
// errors have no type.
var refusal = expression(`^calling "[^"]*": (?:sending "[^"]*"|standalone SSE stream)`)

// refused reads an error of a call whose session the SDK has ended because of an HTTP
// answer, or returns nil if it is none. All calls under way end with the same words, so
// that they do not prove that this one was refused.
func refused(err error) *toolerr.Error {
	if !refusal().MatchString(errorText(err)) {
		return nil
	}
	if e := statusNamed(err); e != nil {
		return e.WithEffect(toolerr.EffectUnknown)
	}
	return unanswered(toolerr.CodeUnavailable, "The server's session ended with an HTTP answer that cannot be read.")
}

// statusNamed reads the HTTP status that the SDK's transport was answered with,
// which it leaves at the end of its error's text, by its name. It returns nil if
// there is none.
func statusNamed(err error) *toolerr.Error {
	text := errorText(err)
	name := strings.TrimSpace(text[strings.LastIndex(text, ": ")+1:])
	for n := http.StatusBadRequest; n < 600 && name != ""; n++ {
		if http.StatusText(n) == name {
			return toolerr.FromResponse(&http.Response{StatusCode: n})
		}
	}
	return nil
}
