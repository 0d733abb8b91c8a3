package texts

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// findStatuses finds the HTTP statuses in a text.
func (r *reader) findStatuses() {
	for i, t := range r.tokens {
		if t.end-t.start != len("404") || r.norm[t.start] != '4' && r.norm[t.start] != '5' {
			continue
		}
		n, _ := strconv.Atoi(r.text(i))
		switch c := codes.FromStatus(n); {
		case !r.isStatus(i, strings.ToLower(http.StatusText(n))):
		case c == class.Invalid, c == class.OutOfRange, c == class.Denied, c == class.Conflict:
			r.found(c, scoreVague) // services also send these for other reasons
		default:
			r.found(c, scoreStatus)
		}
	}
}

// isStatus reports whether a number is shown as a status: with its reason phrase, as in 404 Not
// Found, after a label, alone in its clause, or at the beginning of the text, unless it counts
// something.
func (r *reader) isStatus(i int, reason string) bool {
	t := r.tokens[i]
	before, after := r.next(t.from-1), r.next(t.to)
	isPart := strings.ContainsRune("._,", before) && (i == 0 || r.tokens[i-1].to == t.from-1)
	switch {
	case isPart, after == '%', after == '_', after == '.' && isWord(r.next(t.to+1)):
		return false
	case reason != "" && bytes.HasPrefix(r.norm[min(t.end+1, len(r.norm)):], []byte(reason)),
		reason != "" && before == '(' && bytes.HasSuffix(r.norm[:max(t.start-1, 0)], []byte(reason)),
		i > 0 && t.from-r.tokens[i-1].to <= 4 && r.isLabel(i-1):
		return true
	case i == 0:
		return after != ' ' || r.text(1) != "of" && !strings.HasSuffix(r.text(1), "s")
	}
	return before != '(' && r.isAlone(i, i)
}

// isAlone reports whether the tokens from i to j form a whole clause or are in () or [].
func (r *reader) isAlone(i, j int) bool {
	first, last := r.tokens[i], r.tokens[j]
	switch before, after := r.next(first.from-1), r.next(last.to); {
	case before == '(' && after == ')', before == '[' && after == ']':
		return true
	case i > 0 && r.tokens[i-1].clause == first.clause:
		return false
	}
	return j+1 == len(r.tokens) || r.tokens[j+1].clause != first.clause || strings.HasPrefix(r.src[last.to:], " {")
}

// isLabel reports whether a token is a word that precedes a status or a message.
func (s *scan) isLabel(i int) bool { return codes.Labels.Has(s.text(i)) }

// findCodes finds the words that are spelled like codes. One that is none, such as SMTP_HOST, is the
// name of an environment variable.
func (r *reader) findCodes() {
	end := 0
	for i, t := range r.tokens {
		if t.isRun || t.isPlace || t.from < end {
			continue
		}
		end = identifierEnd(r.src, t.from)
		word, isName := r.src[t.from:end], strings.Contains(r.src[t.from:end], "_")
		r.steps += len(word)
		isCode, last := isCode(word), i
		for last+1 < len(r.tokens) && r.tokens[last+1].from < end {
			last++
		}
		if !isCode && (!isName || !r.isAlone(i, last)) {
			continue
		}
		switch c := codes.FromWord(word); {
		case isCode && isName && c == class.Unknown && strings.ToUpper(word) == word:
			r.clauses[t.clause].nouns |= config
		case c == class.Internal, !isCode && c.Retryable() && r.clauses[t.clause].member:
		case c == class.Invalid:
			r.found(c, scoreVague)
		case isCode:
			r.found(c, scoreCode)
		default:
			r.found(c, scoreName)
		}
	}
}

// isCode reports whether a word is spelled like a code, such as NOT_FOUND or NotFound.
func isCode(word string) bool {
	var lower, upper, camel, underscore bool
	for i := range len(word) {
		c := word[i]
		if c != '_' && c != '.' && !codes.IsAlnum(c) {
			return false
		}
		camel = camel || codes.IsUpper(c) && i > 0 && word[i-1] >= 'a' && word[i-1] <= 'z'
		upper, lower, underscore = upper || codes.IsUpper(c), lower || c >= 'a' && c <= 'z', underscore || c == '_'
	}
	return len(word) <= codes.MaxCode && (upper && !lower && underscore || camel && codes.IsUpper(word[0]))
}

// identifierEnd returns where the identifier at i ends, or where it becomes longer than a code.
func identifierEnd(text string, i int) int {
	last := min(len(text), i+codes.MaxCode+1)
	for i < last && (text[i] == '_' || codes.IsAlnum(text[i]) ||
		text[i] == '.' && i+1 < len(text) && codes.IsAlnum(text[i+1])) {
		i++
	}
	return i
}

// isInName reports whether a phrase is part of a name that is not a code, such as timeout_ms,
// web-timeout or handleRateLimit.
func (r *reader) isInName(h *hit) bool {
	from, to := r.tokens[h.first].from, r.tokens[h.last].to
	first, end := from, to
	for end < len(r.src) && end-to < codes.MaxCode && joins(r.src[end], r.next(end+1)) {
		end++
	}
	for first > 0 && to-first < codes.MaxCode && joins(r.src[first-1], r.next(first)) && r.src[first-1] != '.' {
		first--
	}
	r.steps += end - first
	return !r.tokens[h.first].isRun && end-first > to-from && !isCode(r.src[first:end])
}

// joins reports whether a byte, followed by next, continues a name.
func joins(c byte, next rune) bool {
	return codes.IsAlnum(c) || c == '_' || (c == '-' || c == '.' || c == '/') && isWord(next)
}

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
