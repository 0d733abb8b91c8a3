package texts

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// statusOf returns the number in a token if it may be the HTTP status of a failure,
// otherwise 0.
func (r *reader) statusOf(t token) int {
	if t.kind != numberToken || t.end-t.start != 3 || r.norm[t.start] != '4' && r.norm[t.start] != '5' {
		return 0
	}
	n, _ := strconv.Atoi(string(r.norm[t.start:t.end]))
	return n
}

// findStatuses finds the HTTP statuses in a text. The first one counts, and further ones
// that forbid a repeat.
func (r *reader) findStatuses() {
	first := true
	for i, t := range r.tokens {
		n := r.statusOf(t)
		if n == 0 || !r.isStatus(i, n) || r.clauses[t.clause].quoted && (!r.isReason(i, n) || !r.isCalled(i)) {
			continue
		}
		c := codes.FromStatus(n)
		if n == http.StatusForbidden && r.isThrottledReply() { // Google and GitHub also reply so to too many requests
			c = class.Throttled
		}
		switch {
		case c == class.Invalid || c == class.OutOfRange:
			r.found(c, scoreVague, true)
		case c == class.Conflict: // services also reply so if the state does not allow the request
			r.found(c, scoreClear+1, true)
		case c.Retryable() && !first:
		case c == class.Unauthenticated: // no other failure has this status
			r.found(c, scoreCode+2, true)
		default:
			r.found(c, scoreStatus, true)
		}
		if n < 500 && !c.Retryable() {
			r.forbids = true // regardless of the text around it
		}
		first = false
	}
}

// isThrottledReply reports whether the whole quoted reply of a service, after a verb of
// speech, is that there were too many requests, and no word of the text is about a plan.
func (r *reader) isThrottledReply() bool {
	return r.plans == 0 && slices.ContainsFunc(r.hits, func(h hit) bool {
		clause := r.tokens[h.first].clause
		isWhole := h.first > 0 && r.tokens[h.first-1].clause != clause && (h.last+1 == len(r.tokens) || r.tokens[h.last+1].clause != clause)
		return h.row.class == class.Throttled && h.row.use == says && isWhole && r.clauses[clause].speech && speaks(r.text(h.first-1))
	})
}

// isStatus reports whether a number is shown as a status: it has a label, its reason phrase
// or brackets, or is at the beginning or the end.
func (r *reader) isStatus(i, n int) bool {
	t := r.tokens[i]
	before, after := r.next(t.from-1), r.next(t.to)
	switch {
	case (before == '.' || before == ',') && i > 0 && r.tokens[i-1].to == t.from-1, after == '%', after == '_', before == '_', after == '.' && r.next(t.to+1) >= '0' && r.next(t.to+1) <= '9':
		return false // a part of a number
	case r.isReason(i, n):
		return true
	case before == '[' && r.next(t.from-2) == ']': // the notation of go-swagger: [GET /x][404]
		return true
	case before == '[' && after == ']', before == '(' && after == ')':
		return i == 0 || r.isCalled(i) || r.isBehindReason(i, n)
	case i > 0 && r.isUnit(i+1):
		return false
	case r.isCalled(i):
		return true
	case i == 0:
		return after != ' ' || i+1 == len(r.tokens) || !strings.HasSuffix(r.text(i+1), "s")
	}
	// After a colon, followed by a body or the end of the clause.
	opens := r.clauses[t.clause].opener == ':' && r.tokens[i-1].clause != t.clause
	ends := i+1 == len(r.tokens) || r.tokens[i+1].clause != t.clause
	return opens && ends
}

// isReason reports whether the status is followed by its reason phrase, or by a phrase that
// some libraries use for all statuses.
func (r *reader) isReason(i, n int) bool {
	if i+1 >= len(r.tokens) {
		return false
	}
	reason := strings.ToLower(strings.ReplaceAll(http.StatusText(n), "-", " "))
	from := r.tokens[i+1].start
	rest := r.norm[from:min(from+40, len(r.norm))]
	gap := r.src[r.tokens[i].to:r.tokens[i+1].from]
	if len(gap) > 3 || strings.ContainsAny(gap, "\n.") {
		return false
	}
	return reason != "" && strings.HasPrefix(string(rest), reason) ||
		strings.HasPrefix(string(rest), "server error") || strings.HasPrefix(string(rest), "client error")
}

// isBehindReason reports whether the words before a number are its reason phrase:
// Unauthorized (401).
func (r *reader) isBehindReason(i, n int) bool {
	before := r.norm[max(0, r.tokens[i].start-40):r.tokens[i].start]
	return strings.HasSuffix(strings.TrimRight(string(before), " \n"), strings.ToLower(http.StatusText(n)))
}

// isCalled reports whether the words before a number label it as a status.
func (r *reader) isCalled(i int) bool {
	if i == 0 || r.tokens[i].from-r.tokens[i-1].to > 4 {
		return false
	}
	switch word := r.text(i - 1); word {
	case "http", "https", "status", "code", "statuscode", "httpstatus", "error", "failed", "failure", "responded", "returned", "response",
		"errorcode", "got", "received", "rejected", "exception", "api", "状态码", "错误码", "错误", "错误代码", "代码", "ステータス", "ステータスコード", "エラー", "エラーコード",
		"상태", "상태코드", "오류", "오류코드", "에러", "statut", "estado", "erreur", "fehler", "fehlercode", "statuscodes", "codigo", "codice", "код", "ошибка", "статус", "stato", "kodu", "hata", "kod":
		return true
	case "with", "a", "an", "1", "2":
		return r.isCalledBefore(i-1, word)
	}
	return false
}

// isCalledBefore is [reader.isCalled] for a word that is a label only after another one.
func (r *reader) isCalledBefore(i int, word string) bool {
	before := r.text(i - 1)
	switch word {
	case "with":
		return before == "failed" || before == "responded" || before == "replied" || before == "answered" || before == "error" || before == "rejected"
	case "1", "2":
		return before == "1" || before == "http" // HTTP/1.1
	}
	return before == "returned" || before == "received" || before == "got"
}

// isUnit reports whether a word is a unit of the number before it.
func (r *reader) isUnit(i int) bool {
	if i >= len(r.tokens) || r.tokens[i].clause != r.tokens[i-1].clause || r.src[r.tokens[i-1].to] != ' ' || r.tokens[i].kind != wordToken {
		return false
	}
	if c := r.src[r.tokens[i].from]; c < 'a' || c > 'z' {
		return false
	}
	switch r.text(i) {
	case "on", "for", "from", "error", "at", "when", "while", "status", "response", "and", "or", "calling", "returned", "with", "after", "in", "by", "code", "http", "because", "due", "but", "trying", "during", "accessing", "fetching":
		return false
	}
	return true
}
