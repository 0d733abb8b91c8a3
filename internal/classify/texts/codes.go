package texts

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// findStatuses finds the HTTP statuses in a text.
func (r *reader) findStatuses() {
	for i, t := range r.tokens {
		if t.end-t.start != len("404") || r.norm[t.start] != '4' && r.norm[t.start] != '5' || !r.isStatus(i) {
			continue
		}
		n, _ := strconv.Atoi(r.text(i))
		c := codes.FromStatus(n)
		score := scoreStatus
		switch c { //nolint:exhaustive // the others are clear
		case class.Invalid, class.OutOfRange, class.Denied, class.Conflict: // services also send these for other reasons
			score = scoreVague
		}
		r.found(c, score)
	}
}

// isStatus reports whether a number is shown as a status: with its reason phrase, after a label,
// alone in its clause, or at the beginning of the text, unless it counts something.
func (r *reader) isStatus(i int) bool {
	t := r.tokens[i]
	before, after := r.next(t.from-1), r.next(t.to)
	isPart := strings.ContainsRune("._,", before) && (i == 0 || r.tokens[i-1].to == t.from-1)
	switch {
	case isPart, after == '%', after == '_', after == '.' && isWord(r.next(t.to+1)):
		return false
	case r.isReason(i), i > 0 && t.from-r.tokens[i-1].to <= 4 && labels[r.text(i-1)]:
		return true
	case i == 0:
		return after != ' ' || r.text(1) != "of" && !strings.HasSuffix(r.text(1), "s")
	}
	return before != '(' && r.isAlone(i, i)
}

// isAlone reports whether the tokens from i to j form a whole clause or are in () or [].
func (r *reader) isAlone(i, j int) bool {
	clause := r.tokens[i].clause
	if before, after := r.next(r.tokens[i].from-1), r.next(r.tokens[j].to); before == '(' && after == ')' || before == '[' && after == ']' {
		return true
	}
	ends := j+1 == len(r.tokens) || r.tokens[j+1].clause != clause || strings.HasPrefix(r.src[r.tokens[j].to:], " {")
	return ends && (i == 0 || r.tokens[i-1].clause != clause)
}

// isReason reports whether the status is beside its reason phrase, as in 404 Not Found.
func (r *reader) isReason(i int) bool {
	const longest = 40 // bytes
	t := r.tokens[i]
	n, _ := strconv.Atoi(r.text(i))
	reason := strings.ToLower(http.StatusText(n))
	before := strings.TrimRight(string(r.norm[max(0, t.start-longest):t.start]), " \n")
	after := strings.TrimLeft(string(r.norm[t.end:min(t.end+longest, len(r.norm))]), " \n")
	return reason != "" && (strings.HasPrefix(after, reason) || r.next(t.from-1) == '(' && strings.HasSuffix(before, reason))
}

// labels are words that precede a status or a message.
var labels = words(`http https status code statuscode httpstatus error failed failure responded returned response errorcode got
	received rejected exception api 状态码 错误码 错误 错误代码 代码 ステータス ステータスコード エラー エラーコード 상태 상태코드 오류 오류코드 에러
	statut estado erreur fehler fehlercode statuscodes codigo codice код ошибка статус stato kodu hata kod`)

func words(text string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		m[word] = true
	}
	return m
}

// findCodes finds the words that are spelled like codes.
func (r *reader) findCodes() (clues []clue) {
	end := 0
	for i, t := range r.tokens {
		if t.kind != wordToken || t.from < end {
			continue
		}
		end = identifierEnd(r.src, t.from)
		word := r.src[t.from:end]
		r.steps += len(word)
		last := i
		for last+1 < len(r.tokens) && r.tokens[last+1].from < end {
			last++
		}
		switch {
		case isCode(word):
			c := codes.FromWord(word)
			clues = append(clues, codeClue(c, scoreCode))
			if c == class.Unknown && strings.Contains(word, "_") && word == strings.ToUpper(word) { // an environment variable
				r.around[t.clause].nouns |= kinds["config"]
			}
		case strings.Contains(word, "_") && r.isAlone(i, last):
			if c := codes.FromWord(word); !c.Retryable() || !r.clauses[t.clause].member {
				clues = append(clues, codeClue(c, scoreClear+2))
			}
		}
	}
	return clues
}

func codeClue(c class.Class, score int) clue {
	switch c { //nolint:exhaustive // the others are clear
	case class.Internal:
		c = class.Unknown
	case class.Invalid:
		score = scoreVague
	}
	return clue{c, score}
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
	first := i
	for i < len(text) && i <= first+codes.MaxCode && (text[i] == '_' || codes.IsAlnum(text[i]) || text[i] == '.' && i+1 < len(text) && codes.IsAlnum(text[i+1])) {
		i++
	}
	return i
}

// isInName reports whether a phrase is part of a name that is not a code, such as timeout_ms,
// web-timeout or handleRateLimit.
func (r *reader) isInName(h *hit) bool {
	from, to := r.tokens[h.first].from, r.tokens[h.last].to
	if r.tokens[h.first].kind == runToken {
		return false
	}
	end := to
	for end < len(r.src) && end-to < codes.MaxCode && joins(r.src[end], r.next(end+1)) {
		end++
	}
	for from > 0 && to-from < codes.MaxCode && joins(r.src[from-1], r.next(from)) && r.src[from-1] != '.' {
		from--
	}
	r.steps += end - from
	word := r.src[from:end]
	return (from < r.tokens[h.first].from || to < end) && !isCode(word)
}

// joins reports whether a byte, followed by next, continues a name.
func joins(c byte, next rune) bool {
	return codes.IsAlnum(c) || c == '_' || (c == '-' || c == '.' || c == '/') && isWord(next)
}
