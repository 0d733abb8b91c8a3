package foreign

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// refused reads an error of a call whose session the SDK's HTTP transport has ended
// because of an answer that it cannot take to a request, or to the stream for what a
// server says by itself, or returns nil if it is none. Such errors have no type. All calls under way end with the same words, so
// that they do not prove that this one was refused.
func refused(err error) *toolerr.Error {
	call, ok := strings.CutPrefix(errorText(err), `calling "`)
	_, refusal, _ := strings.Cut(call, `": `)
	if !ok || !strings.HasPrefix(refusal, `sending "`) && !strings.HasPrefix(refusal, "standalone SSE stream") {
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
