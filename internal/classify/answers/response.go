// Package answers reads what anyone sends about a failure: an object ([Claims]), a batch ([Items]), or the
// HTTP response of a service, which it also classifies.
package answers

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// FromResponse classifies an HTTP response that is not a success by its status, its headers and the
// codes in its body, which may be problem details (RFC 9457) or one of the common error objects. The
// field is the member of the request that the body names. It also returns what the service says and, if the
// credentials lack scopes, those that the WWW-Authenticate header (RFC 6750) requires. It closes the body,
// and puts back what it has read.
func FromResponse(resp *http.Response) (c class.Classification, scopes, said string) {
	body, said := readBody(resp)
	word, shown := body.Class()
	if c := codes.FromMessage(body.Message()); c == class.UnparsedRange && strings.HasPrefix(body.Message(), "grpc: ") {
		word, shown = c, true
	}
	found, byStatus, after := Weigh(word, shown, resp.StatusCode, resp.Header, RequestMethod(resp))
	if !byStatus.Retryable() && found.Retryable() && found.Classification().Effect == class.EffectUnknown {
		found = byStatus // the word may be that of an argument, such as a timeout
	}
	if after = cmp.Or(after, body.After); found.IsThrottle() && body.HasPlanLimit(after) {
		found = class.Limit
	}
	challenged, scopes := challenge(resp.Header)
	if found == class.Unauthenticated || found == class.Denied || found.IsVague() {
		found = cmp.Or(challenged, found, class.Internal)
	}
	if found != class.InsufficientScope {
		scopes = ""
	}
	c = found.After(after)
	if c.Category == class.Validation || c.Category == class.Business {
		c.Field = body.Text(spelling.Field)
		for _, o := range body.wholes { // or the first in an object of errors by name
			if c.Field == "" && isErrorsByField(o, maxSentences) && !spelling.Means(sorted(o)[0], spelling.Errors) {
				c.Field = sorted(o)[0]
			}
		}
	}
	isWrite := !codes.List("safe").Has(RequestMethod(resp))
	isPart := isWrite && slices.ContainsFunc(body.wholes, func(o map[string]any) bool {
		items := ReadItems(o, true)
		return items != nil && items.Done > 0 && (c.Retryable || Has(o, spelling.Certain))
	})
	if IsDoubtful(found, byStatus) || isPart || isRedirectedWrite(resp) { // the status concerns the last request only
		c.Effect = class.EffectUnknown
	}
	return c, scopes, said
}

// isRedirectedWrite reports whether a response follows redirects of a request whose method is not safe
// (RFC 9110, section 9.2.1).
func isRedirectedWrite(resp *http.Response) bool {
	const maxRedirects = 100 // net/http follows ten
	for range maxRedirects {
		if resp.Request == nil || resp.Request.Response == nil {
			return false
		}
		resp = resp.Request.Response
		if method := RequestMethod(resp); method != "" && !codes.List("safe").Has(method) {
			return true
		}
	}
	return true
}

// IsDoubtful reports whether a class proves that nothing was done, and the status beside it does not: a proxy may
// have answered with its own text.
func IsDoubtful(found, byStatus class.Class) bool {
	return byStatus.Classification().Effect == class.EffectUnknown && found.Classification().Effect == class.EffectNone
}

// Weigh returns the class of a code word that came with an HTTP status, or else the class of the status, that
// class, and the delay that the headers require. Shown means that there is a word, even an unknown one. A
// request limit is a quota if the status refuses the request.
func Weigh(
	word class.Class, shown bool, status int, header http.Header, method string,
) (found, byStatus class.Class, after time.Duration) {
	byStatus, after = codes.FromHTTP(status, shown, header, method, time.Now())
	mayPass := status <= http.StatusBadRequest || status >= 500 || codes.FromStatus(status).Retryable()
	switch {
	case word == class.OverLimit && !mayPass:
		word = class.Limit
	case word == class.Missing && !mayPass && byStatus != class.Invalid, // what is missing is access or a state
		byStatus == class.NotAccepted && codes.List("safe").Has(method) && word.Retryable() && !word.IsThrottle():
		word = class.Unknown
	}
	if byStatus != class.Unknown && !refines(word, byStatus, status) {
		word = byStatus
	}
	return word, byStatus, after
}

// HasPlanLimit reports whether a limit is one for a day or more, which no short wait lifts.
func (c *Claims) HasPlanLimit(after time.Duration) bool {
	return c.IsPlan || c.namesPeriod && after == 0
}

// refines reports whether the class of a code word takes precedence over the class of the HTTP status. A
// vague word never does. A word allows a repeat that the status does not only if it means throttling, or
// with status 400, with which some services send all codes.
func refines(word, byStatus class.Class, status int) bool {
	switch {
	case word.IsThrottle():
		isDoubtful := byStatus == class.Denied || byStatus == class.Precondition || byStatus == class.NotAccepted
		return isDoubtful || byStatus.IsVague() || byStatus == class.ReplyLost
	case word.Retryable():
		return byStatus.Retryable() && byStatus != class.Throttled || status == http.StatusBadRequest
	}
	return !word.IsVague() && (word != class.Conflict || byStatus != class.Precondition)
}

// RequestMethod returns the method of the request that a response answers, or "" if unknown.
func RequestMethod(resp *http.Response) string {
	if resp.Request == nil {
		return ""
	}
	return cmp.Or(resp.Request.Method, http.MethodGet)
}

// challenge classifies the error parameter of the WWW-Authenticate header (RFC 6750, section 3),
// and returns the required scopes if it is insufficient_scope.
func challenge(h http.Header) (c class.Class, scopes string) {
	for _, value := range h.Values("Www-Authenticate") {
		if kind := param(value, "error"); kind == "insufficient_scope" {
			return class.InsufficientScope, param(value, "scope")
		} else if kind == "invalid_token" {
			c = class.Unauthenticated
		}
	}
	return c, ""
}

// params finds the parameters of a challenge (RFC 9110, section 11.2), also if a quotation mark is missing.
var params = regexp.MustCompile(`(\w+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)|([^ \t,"]*))`)

// param returns the first value of a parameter of a challenge. It is "" if it is longer than scopes are, or has
// other characters (RFC 6749, section 3.3).
func param(challenge, name string) string {
	const longest = 512 // bytes; a request needs only a few scopes
	isOther := func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }
	for _, found := range params.FindAllStringSubmatch(challenge, -1) {
		text := strings.TrimSpace(found[2] + found[3])
		if strings.EqualFold(found[1], name) && text != "" && len(text) <= longest && !strings.ContainsFunc(text, isOther) {
			return text
		}
	}
	return ""
}

// maxBody is the maximum number of bytes read from a body. Errors have a few hundred.
const maxBody = 64 << 10

// readBody reads the body of a response, closes it, and puts back what it has read. It returns the
// claims in it, and what the service says: a message, or else the whole of a short text.
func readBody(resp *http.Response) (c Claims, said string) {
	name, _, _ := strings.Cut(resp.Header.Get("X-Amzn-Errortype"), ":") // a URI follows
	c.code(spelling.Reasons, "", name, whole)
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
	if bytes.HasPrefix(text, []byte("<")) { // of a storage service
		if code := tag(text, "Code"); len(code) <= codes.MaxCode && !strings.ContainsAny(code, " \t\r\n<>") {
			c.code(spelling.Codes, "", code, whole)
		}
		return c, tag(text, "Message")
	}
	c.ReadJSON(text)
	if said = c.Said(); said == "" && bytes.IndexByte(text, 0) < 0 {
		said = string(text[:min(len(text), maxSaid)])
	}
	return c, said
}

// maxSaid is the maximum number of bytes of a text that is kept as a service's message.
const maxSaid = 2 << 10

// Said returns what a service says in an error object: its message, and what is beside it.
func (c *Claims) Said() string {
	message := c.Message()
	if field := c.Text(spelling.Field); message != "" && !strings.Contains(message, field) {
		message = field + ": " + message
	}
	return strings.TrimSpace(message + c.Beside())
}

// Beside returns what an object says beside its message: the texts about its parts, the hint, and the messages of the
// objects around the innermost.
func (c *Claims) Beside() (text string) {
	all := []string{c.sentences(), c.Text(spelling.Hint)}
	for _, o := range c.wholes {
		said, _ := Folded(o).get(spelling.Message).(string)
		all = append(all, said)
	}
	for _, more := range all {
		if !strings.Contains(c.Message()+text, more) {
			text += " " + more
		}
	}
	return text
}

// tag returns the text in the first element with a name.
func tag(text []byte, name string) string {
	_, rest, _ := bytes.Cut(text, []byte("<"+name+">"))
	inner, _, ok := bytes.Cut(rest, []byte("</"))
	if !ok || len(inner) > maxSaid || bytes.IndexByte(inner, '<') >= 0 {
		return ""
	}
	return string(inner)
}
