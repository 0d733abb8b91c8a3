package texts

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// isLetter reports whether a character is one of those that codes have.
func isLetter(r rune) bool {
	return r == '_' || r == '.' || r < utf8.RuneSelf && codes.IsAlnum(byte(r))
}

// findCodes finds the HTTP statuses, and the names that are spelled like codes. One that is none, such
// as SMTP_HOST, is the name of an environment variable.
func (r *reader) findCodes() {
	end := 0
	for i, t := range r.tokens {
		if t.isRun || t.isPlace || t.from < end {
			continue
		}
		name, last := r.src[t.from:min(t.from+codes.MaxCode+1, len(r.src))], i
		name, _, _ = strings.Cut(name[:len(name)-len(strings.TrimLeftFunc(name, isLetter))], "..")
		name, _, _ = strings.Cut(strings.TrimRight(name, "."), "._")
		end = t.from + len(name)
		for last+1 < len(r.tokens) && r.tokens[last+1].from < end {
			last++
		}
		if last == i && t.end-t.start == len("404") && (r.norm[t.start] == '4' || r.norm[t.start] == '5') {
			n, _ := strconv.Atoi(r.text(i))
			c, score := codes.FromStatus(n), scoreStatus
			if slices.Contains([]class.Class{class.Invalid, class.OutOfRange, class.Denied, class.Conflict}, c) {
				score = scoreVague // services also send these for other reasons
			}
			if r.isStatus(i, strings.ToLower(http.StatusText(n))) {
				r.found(c, score)
			}
			continue
		}
		isCode, isName := isCode(name), strings.Contains(name, "_")
		if !isCode && (!isName || !r.isAlone(i, last)) {
			continue
		}
		switch c := codes.FromWord(name); {
		case isCode && isName && c == class.Unknown && strings.ToUpper(name) == name:
			r.clauses[t.clause].nouns |= config
		case c == class.Internal, c.RejectsStatement(), !isCode && c.Retryable() && r.clauses[t.clause].member:
		case c == class.Invalid:
			r.found(c, scoreVague)
		case isCode:
			r.found(c, scoreCode)
		default:
			r.found(c, scoreName)
		}
	}
}

// isStatus reports whether a number is shown as a status: beside its reason phrase, as in 404 Not Found, after a label,
// alone in its clause, or at the beginning of the text, unless it counts something.
func (r *reader) isStatus(i int, reason string) bool {
	t := r.tokens[i]
	before, after := r.next(t.from-1), r.next(t.to)
	near := r.norm[max(t.start-len(reason)-2, 0):min(t.end+len(reason)+2, len(r.norm))]
	switch {
	case strings.ContainsRune("._,", before) && (i == 0 || r.tokens[i-1].to == t.from-1),
		after == '%':
		return false // a part of a number
	case reason != "" && bytes.Contains(near, []byte(reason)),
		i > 0 && t.from-r.tokens[i-1].to <= 4 && codes.Labels.Has(r.text(i-1)):
		return true
	case i == 0:
		return after != ' ' || r.text(1) != "of" && !strings.HasSuffix(r.text(1), "s")
	}
	return before != '(' && r.isAlone(i, i)
}

// isAlone reports whether the tokens from i to j form a whole clause or are in () or [].
func (r *reader) isAlone(i, j int) bool {
	first, last := r.tokens[i], r.tokens[j]
	before, after := r.next(first.from-1), r.next(last.to)
	if before == '(' && after == ')' || before == '[' && after == ']' {
		return true
	}
	isOutside := func(k int) bool { return k < 0 || k >= len(r.tokens) || r.tokens[k].clause != first.clause }
	return isOutside(i-1) && (isOutside(j+1) || strings.HasPrefix(r.src[last.to:], " {"))
}

// isCode reports whether a name is spelled like a code, such as NOT_FOUND or NotFound.
func isCode(name string) bool {
	var upper, lower, camel bool
	for i := range len(name) {
		isUpper := codes.IsUpper(name[i])
		camel = camel || isUpper && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z'
		upper, lower = upper || isUpper, lower || 'a' <= name[i] && name[i] <= 'z'
	}
	return (upper && !lower && strings.Contains(name, "_") || camel && codes.IsUpper(name[0])) &&
		len(name) <= codes.MaxCode && strings.TrimLeftFunc(name, isLetter) == ""
}

// isInName reports whether a phrase is part of a name that is not a code: timeout_ms, web-timeout or handleRateLimit.
func (r *reader) isInName(h hit) bool {
	from, to := r.tokens[h.first].from, r.tokens[h.last].to
	joins := func(i int) bool {
		c := rune(r.src[i])
		return isLetter(c) && c != '.' || strings.ContainsRune("-./", c) && isWord(r.next(i+1))
	}
	first, end := from, to
	for first > 0 && to-first < codes.MaxCode && r.src[first-1] != '.' && joins(first-1) {
		first--
	}
	for end < len(r.src) && end-to < codes.MaxCode && joins(end) {
		end++
	}
	return end-first > to-from && !r.tokens[h.first].isRun && !isCode(r.src[first:end])
}

// delay returns the delay in a text: try again in 42 s, retry after 12m34s, 30 秒后重试. A bare number is in seconds.
func (r *reader) delay() time.Duration {
	asks := false
	for _, h := range r.hits {
		asks = asks || h.use == "later"
		if h.use == "waits" && h.last+1 < len(r.tokens) {
			if n, _ := r.seconds(r.tokens[h.last+1]); n > 0 {
				return class.Seconds(n)
			}
		}
	}
	for i := 0; asks && i < len(r.tokens); i++ {
		if n, hasUnit := r.seconds(r.tokens[i]); hasUnit {
			return class.Seconds(n)
		}
	}
	return 0
}

// seconds returns the duration that begins with a token, and whether it has a unit. It is 0 if the token is no number.
func (r *reader) seconds(t token) (n float64, hasUnit bool) {
	field := r.src[t.from:min(t.from+32, len(r.src))]
	number := field[:len(field)-len(strings.TrimLeft(field, "0123456789.hmsuµ"))]
	isDate := len(number) == 4 && strings.HasPrefix(field[4:], "-")
	if t.isPlace || field[0] < '0' || field[0] > '9' || isDate {
		return 0, false
	}
	if d, err := time.ParseDuration(strings.TrimRight(number, ".")); err == nil {
		return d.Seconds(), true
	}
	number = strings.TrimRight(number, ".hmsuµ")
	n, _ = strconv.ParseFloat(number, 64)
	word := strings.ToLower(strings.TrimSpace(field[len(number):]))
	for end := len(word); end > 0; end-- {
		seconds, ok := units[word[:end]]
		if ok && (end > 2 || end == len(word) || !isWord(rune(word[end]))) {
			return n * seconds, true
		}
	}
	return n, false
}
