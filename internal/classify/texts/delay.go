package texts

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// delay returns the delay in a text such as try again in 42 s, retry after 12m34s or 30 秒后重试. A
// bare number is in seconds.
func (r *reader) delay() time.Duration {
	asks := false
	for _, h := range r.hits {
		asks = asks || !h.meaning.english && h.meaning.rank == 2 && h.meaning.class == class.ReplyLost
	}
	for i, t := range r.tokens {
		if t.kind == placeToken || r.src[t.from] < '0' || r.src[t.from] > '9' {
			continue
		}
		if isAsked := r.isDelay(i); isAsked || asks {
			if n, unit := r.seconds(t.from); unit || isAsked {
				return class.Seconds(n)
			}
		}
	}
	return 0
}

// isDelay reports whether the words before token i ask the caller to wait.
func (r *reader) isDelay(i int) bool {
	switch r.text(i - 1) {
	case "about", "approximately", "another", "around":
		i--
	case "least": // at least
		i -= 2
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

// seconds returns the duration at offset i, in seconds, and whether it has a unit.
func (r *reader) seconds(i int) (n float64, unit bool) {
	field := r.src[i:min(i+32, len(r.src))]
	number := field[:len(field)-len(strings.TrimLeft(field, "0123456789.hmsuµ"))]
	if d, err := time.ParseDuration(strings.TrimRight(number, ".")); err == nil {
		return d.Seconds(), true
	}
	number = strings.TrimRight(number, ".hmsuµ")
	n, _ = strconv.ParseFloat(number, 64)
	word := strings.ToLower(strings.TrimSpace(field[len(number):]))
	for _, u := range units {
		for name := range strings.FieldsSeq(u.names) {
			if rest, ok := strings.CutPrefix(word, name); ok && (len(name) > 2 || rest == "" || !isWord(rune(rest[0]))) {
				return n * u.seconds, true
			}
		}
	}
	return n, false
}

// units are the words for units of time. A word of three bytes or more also matches longer words.
var units = []struct {
	seconds float64
	names   string
}{
	{0.001, "ms millis milis мс 毫秒 ミリ秒 밀리초"},
	{1, "s sec second sekund segund seconde second saniye сек 秒 초"},
	{60, "m min minut minute dakika мин 分 분"},
	{86400, "d day tag jour dia día giorno gün день дня дней 天 日 일"},
	{604800, "week woche semaine semana settimana недел 周 週 주"},
	{2592000, "month monat mois mese месяц 个月 個月 개월"},
	{3600, "h hour hr hrs stunde heure hora ore ora saat час 小时 小時 時間 시간"},
}
