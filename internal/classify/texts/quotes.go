package texts

import (
	"strings"
	"unicode"
)

// isShown reports whether the text before a quote at i introduces speech: a punctuation
// mark, or a word such as "says". Any other quote is a name or a value: Key "noSuchKey" is
// not known.
func (s *scan) isShown(i int) bool {
	before := strings.TrimRight(s.src[:i], " \t")
	if before == "" {
		return true
	}
	if strings.ContainsRune(":=([{,\n", rune(before[len(before)-1])) || strings.HasSuffix(before, "：") || strings.HasSuffix(before, "，") {
		return true
	}
	last := len(s.tokens) - 1
	if last < 0 || s.tokens[last].to != len(before) {
		return false
	}
	return speaks(string(s.norm[s.tokens[last].start:s.tokens[last].end]))
}

// speaks reports whether a word introduces speech.
func speaks(word string) bool {
	switch word {
	case "says", "said", "saying", "error", "errors", "message", "reason", "with", "returned", "returns", "replied", "responded", "answered",
		"got", "response", "reported", "reports", "stderr", "stdout", "code", "status", "because", "exception", "detail", "details", "cause",
		"错误", "提示", "返回", "エラー", "오류", "fehler", "erreur", "mensaje", "mensagem", "ошибка", "errore", "hata":
		return true
	}
	return false
}

// isSpeechToTheEnd reports whether the quote that begins at i contains the whole rest of
// the text, as the report of another program: stderr: 'fatal: not a repository'. Quotes in
// it are its own, so that its marks do not open quotes.
func (s *scan) isSpeechToTheEnd(i int, r rune, size int) bool {
	if len(s.open) > 1 || s.ended || r != '"' && r != '\'' {
		return false
	}
	if s.last <= i+size || s.src[s.last] != byte(r) || s.lastSpace < i {
		return false
	}
	before := strings.TrimRightFunc(s.src[:i], func(r rune) bool { return unicode.IsSpace(r) || r == ':' || r == '(' })
	if len(before) == i || len(s.tokens) == 0 {
		return false
	}
	last := s.tokens[len(s.tokens)-1]
	word := string(s.norm[last.start:last.end])
	s.ended = last.to == len(before) && (speaks(word) || i > 0 && s.src[i-1] == '(') && !strings.HasSuffix(before, ",")
	return s.ended
}
