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
		asks = asks || h.meaning.use == "later"
		if h.meaning.use == "waits" && h.last+1 < len(r.tokens) {
			if n, _, ok := r.seconds(r.tokens[h.last+1]); ok {
				return class.Seconds(n)
			}
		}
	}
	for i := 0; asks && i < len(r.tokens); i++ {
		if n, unit, _ := r.seconds(r.tokens[i]); unit {
			return class.Seconds(n)
		}
	}
	return 0
}

// seconds returns the duration that begins with a token, in seconds, whether it has a unit, and
// whether the token is a number at all.
func (r *reader) seconds(t token) (n float64, unit, ok bool) {
	field := r.src[t.from:min(t.from+32, len(r.src))]
	if t.isPlace || field[0] < '0' || field[0] > '9' {
		return 0, false, false
	}
	number := field[:len(field)-len(strings.TrimLeft(field, "0123456789.hmsuµ"))]
	if d, err := time.ParseDuration(strings.TrimRight(number, ".")); err == nil {
		return d.Seconds(), true, true
	}
	number = strings.TrimRight(number, ".hmsuµ")
	n, _ = strconv.ParseFloat(number, 64)
	word := strings.ToLower(strings.TrimSpace(field[len(number):]))
	for _, u := range units {
		for name := range strings.FieldsSeq(u.names) {
			rest, ok := strings.CutPrefix(word, name)
			if ok && (len(name) > 2 || rest == "" || !isWord(rune(rest[0]))) {
				return n * u.seconds, true, true
			}
		}
	}
	return n, false, true
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
