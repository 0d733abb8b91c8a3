package foreign

import (
	"net/http"
	"strconv"
	"strings"
)

// httpxStatus is how Python's httpx words every status.
var httpxStatus = expression(`\b(?:Client|Server) error '([45]\d\d) `)

// namedStatus is a number that the text itself calls a status; what follows must
// not be a thing that is counted.
var namedStatus = expression(`(?i)(?:\bhttp(?: error| status)?(?: code)?|\bstatus(?:[ _]?code)?|\bwith (?:status )?code|\berror code|\bresponded with|\bapi error|\berror|\bfailed|\bstatus=)[:=]? ?[(\['"]?([45]\d\d)([\])'"]?)(\b.?.?)`)

// spelledStatus is a number before its own reason phrase, at the beginning or
// behind punctuation.
var spelledStatus = expression(`(?:^|[:\[(] ?|https?://\S+ )([45]\d\d) ([A-Z][A-Za-z'-]*(?: [A-Za-z'-]+){0,3})?`)

// bareStatus is a status that a text begins with, before a sentence of its own, or
// one before the body that came with it.
var bareStatus = expression(`^([45]\d\d) [A-Z]|: ([45]\d\d) ?[\[{]`)

// swaggerStatus is how the clients that go-swagger makes show an answer.
var swaggerStatus = expression(`\[[A-Z]{3,7} /[^\]\s]*\]\[([45]\d\d)\] `)

// statusInText returns the HTTP status that a text names as one, or 0.
func statusInText(text string) int {
	if m := httpxStatus().FindStringSubmatch(text); m != nil {
		return atoi(m[1])
	}
	if m := swaggerStatus().FindStringSubmatch(text); m != nil {
		return atoi(m[1])
	}
	for _, m := range namedStatus().FindAllStringSubmatch(text, 4) {
		if m[2] != "" || !isCounted(m[3]) {
			return atoi(m[1])
		}
	}
	for _, m := range spelledStatus().FindAllStringSubmatch(text, 4) {
		if isReason(atoi(m[1]), m[2]) || strings.HasPrefix(text, m[1]+" {") ||
			strings.Contains(text, "://") && strings.Contains(text, ": "+m[1]+" ") {
			return atoi(m[1])
		}
	}
	if m := bareStatus().FindStringSubmatch(text); m != nil {
		return atoi(m[1] + m[2])
	}
	return 0
}

// isCounted reports whether what follows a number is the beginning of a word that
// it counts: 500 lines, but not 500 on, for or error.
func isCounted(next string) bool {
	return len(next) == 2 && next[0] == ' ' && 'a' <= next[1] && next[1] <= 'z' && !strings.ContainsRune("ofe", rune(next[1]))
}

// isReason reports whether a phrase begins like the reason phrase of a status.
func isReason(status int, phrase string) bool {
	first, _, _ := strings.Cut(phrase, " ")
	return first != "" && strings.HasPrefix(http.StatusText(status), first) ||
		strings.HasPrefix(phrase, "Server Error") || strings.HasPrefix(phrase, "Client Error")
}

// atoi reads some digits that an expression has matched.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
