package answers

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// maxBody is the maximum number of bytes read from a body. Errors have a few hundred.
const maxBody = 64 << 10

// readBody reads the body of a response, closes it, and puts back what it has read. It returns the
// claims in it, and what the service says: a message, or else the whole of a short text.
func readBody(resp *http.Response) (c Claims, said string) {
	if name := resp.Header.Get("X-Amzn-Errortype"); name != "" { // followed by a URI
		name, _, _ = strings.Cut(name, ":")
		c.code(spelling.Reasons, "reason", name, whole)
	}
	if resp.Body == nil {
		return c, ""
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(text))
	if err != nil {
		return c, ""
	}
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("<")) {
		c.readXML(text)
		return c, tag(text, "Message")
	}
	c.ReadJSON(text)
	if len(c.wholes) == 0 && bytes.IndexByte(text, 0) < 0 {
		return c, string(text[:min(len(text), maxSaid)])
	}
	return c, c.Said()
}

// maxSaid is the maximum number of bytes of a text that is kept as a service's message.
const maxSaid = 2 << 10

// Said returns what a service says in an error object: its message, and the texts about its parts.
func (c *Claims) Said() string {
	all := []string{c.Message()}
	if field := c.Text(spelling.Field); all[0] != "" && !strings.Contains(all[0], field) {
		all[0] = field + ": " + all[0]
	}
	for _, more := range []string{c.sentences(), c.Text(spelling.Hint)} {
		if more != "" && !strings.Contains(all[0], more) {
			all = append(all, more)
		}
	}
	return strings.TrimSpace(strings.Join(all, " "))
}

// readXML reads the error code of storage services that reply in XML.
func (c *Claims) readXML(text []byte) {
	if code := tag(text, "Code"); looksLikeToken(code) {
		c.code(spelling.Codes, "code", code, whole)
	}
}

// tag returns the text in the first element with a name.
func tag(text []byte, name string) string {
	_, rest, _ := bytes.Cut(text, []byte("<"+name+">"))
	inner, _, ok := bytes.Cut(rest, []byte("</"+name+">"))
	if !ok || len(inner) > maxSaid || bytes.IndexByte(inner, '<') >= 0 {
		return ""
	}
	return string(inner)
}

// looksLikeToken reports whether a text is one word, without white space or angle brackets.
func looksLikeToken(text string) bool {
	return text != "" && len(text) <= codes.MaxCode && !strings.ContainsAny(text, " \t\r\n<>")
}
