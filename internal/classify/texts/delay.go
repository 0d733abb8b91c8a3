package texts

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// delay returns the delay in a text: try again in 42 s, retry after 12m34s, 30 秒后重试. A bare
// number is in seconds.
func (r *reader) delay() time.Duration {
	again := false
	for _, h := range r.hits {
		again = again || h.row.language != "en" && h.row.rank == 2 && h.row.class == class.ReplyLost
	}
	for i, t := range r.tokens {
		if r.src[t.from] < '0' || r.src[t.from] > '9' || r.clauses[t.clause].quoted {
			continue
		}
		isAsked := r.isDelay(i)
		if !isAsked && !again {
			continue
		}
		if n, unit, ok := r.quantity(i); ok && (isAsked || unit) {
			return class.Seconds(n)
		}
	}
	return 0
}

// isDelay reports whether the words before token i ask the caller to wait.
func (r *reader) isDelay(i int) bool {
	if word := r.text(i - 1); word == "about" || word == "approximately" || word == "another" || word == "around" || word == "least" {
		i--
		if word == "least" { // at least
			i--
		}
	}
	switch one, two := r.text(i-2), r.text(i-1); two {
	case "in":
		return one == "again" || one == "retry" || one == "available" || one == "reset" || one == "resets"
	case "after":
		return one == "retry" || one == "again"
	case "for":
		return one == "wait"
	case "wait":
		return true
	}
	return false
}

// quantity returns the number of seconds at token i, and whether it has a unit.
func (r *reader) quantity(i int) (seconds float64, unit, ok bool) {
	from := r.tokens[i].from
	rest := r.src[from:min(from+32, len(r.src))]
	n := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && (c < '0' || c > '9') && !strings.ContainsRune("hmsuµ", c) })
	if n < 0 {
		n = len(rest)
	}
	number := strings.TrimRight(rest[:n], ".")
	if d, err := time.ParseDuration(number); err == nil {
		return d.Seconds(), true, true
	}
	number = strings.TrimRight(number, "hmsuµ")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, false, false
	}
	word := strings.TrimLeftFunc(rest[len(number):], unicode.IsSpace)
	for _, u := range units {
		for name := range strings.FieldsSeq(u.names) {
			if hasWordPrefix(word, name) {
				return value * u.seconds, true, true
			}
		}
	}
	return value, false, true
}

// units are prefixes of the words for units of time.
var units = []struct {
	seconds float64
	names   string
}{
	{0.001, "ms millis milis мс 毫秒 ミリ秒 밀리초"},
	{1, "s sec second sekund segund seconde second saniye сек 秒 초"},
	{60, "m min minut minute dakika мин 分 분"},
	{3600, "h hour hr stunde heure hora ore ora saat час 小时 小時 時間 시간"},
}

// hasWordPrefix reports whether text begins with word, which may be the beginning of a
// longer word if it has more than two bytes.
func hasWordPrefix(text, word string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(text), word)
	return ok && (len(word) > 2 || rest == "" || !unicode.IsLetter(rune(rest[0])))
}
