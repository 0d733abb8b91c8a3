package foreign

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readRejection reads the error of a call whose session was ended by the SDK's HTTP transport,
// because the response to a request or to the standalone stream is not acceptable. It
// returns nil for other errors. Such errors have no type. All running calls end with the
// same text. Therefore it does not prove that this call was refused, and says nothing about
// this call if another method was refused, such as a ping.
func readRejection(err error) *toolerr.Error {
	refusal, ok := callText(err)
	if !ok || !strings.HasPrefix(refusal, `sending "`) && !strings.HasPrefix(refusal, "standalone SSE stream") {
		return nil
	}
	method, _, _ := strings.Cut(strings.TrimPrefix(errorText(err), `calling "`), `"`)
	name, own := strings.CutPrefix(refusal, `sending "`+method+`": `)
	if !own {
		return unanswered(toolerr.CodeUnavailable, "The server's session ended before an answer came.")
	}
	if e := statusByName(err); e != nil && !strings.Contains(name, ":") { // otherwise it may quote the response
		return e.WithEffect(toolerr.EffectUnknown)
	}
	return unanswered(toolerr.CodeUnavailable, "The server's session ended with an HTTP answer that cannot be read.")
}

// statusByName returns the failure for the HTTP status whose name is at the end of an error
// of the SDK's transport, or nil if there is none.
func statusByName(err error) *toolerr.Error {
	text := errorText(err)
	name := strings.TrimSpace(text[strings.LastIndex(text, ": ")+1:])
	for n := http.StatusBadRequest; n < 600 && name != ""; n++ {
		if http.StatusText(n) == name {
			return toolerr.FromResponse(&http.Response{StatusCode: n})
		}
	}
	return nil
}
