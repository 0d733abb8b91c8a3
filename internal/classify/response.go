package classify

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxBody is how many bytes of a body are read for problem details. Chosen: they
// have some hundred.
const maxBody = 64 << 10

// Response classifies an HTTP response that is not a success, by its status, its
// headers, and the type and code of problem details (RFC 9457) or of the common
// error objects. It closes the body.
func Response(resp *http.Response) Classification {
	c, after := statusClass(resp.StatusCode, resp.Header, methodOf(resp), time.Now())
	// A word in a body makes nothing retryable but throttling.
	if w := problem(resp); w != unknown && (!w.retryable() || w == throttled) && (c == invalid || c == denied || c == precondition) {
		c = w
	}
	if c == unknown {
		c = internal
	}
	return c.after(after)
}

// methodOf returns the method of the request that a response answers, if it is known.
func methodOf(resp *http.Response) string {
	if resp.Request == nil {
		return ""
	}
	return cmp.Or(resp.Request.Method, http.MethodGet)
}

func problem(resp *http.Response) class {
	if resp.Body == nil {
		return unknown
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return unknown
	}
	var p struct {
		Type string          `json:"type"`
		Code json.RawMessage `json:"code"`
	}
	if json.Unmarshal(body, &p) != nil {
		return unknown
	}
	var code string
	if json.Unmarshal(p.Code, &code) == nil {
		if c := fromWord(code); c != unknown {
			return c
		}
	}
	return fromWord(lastSegment(p.Type))
}

// lastSegment returns the last part of a URI's path.
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	uri = strings.TrimRight(uri, "/#")
	return uri[strings.LastIndexAny(uri, "/#:")+1:]
}
