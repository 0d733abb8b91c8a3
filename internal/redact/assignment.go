package redact

import (
	"slices"
	"strings"
)

const (
	// maxValue is how many bytes of a value are looked at that may be a plain one. Chosen:
	// keys are shorter.
	maxValue = 128
	// shortProse is the shortest value behind a colon or an equals sign in prose. Chosen:
	// shorter ones are words of the sentence.
	shortProse = 6
)

// assignment looks at an operator at i between a name and a value, and returns where to
// go on: behind the value if it is a secret.
func (f *finder) assignment(i int) int {
	s := f.text
	name, quoted, from := f.name(i)
	if name == "" {
		return i + 1
	}
	op := i + 1
	for op < len(s) && strings.IndexByte(":=>|", s[op]) >= 0 {
		op++
	}
	value := op
	for value < len(s) && value < op+20 && (s[value] == ' ' || s[value] == '\t') {
		value++
	}
	start := value
	escaped := value
	for escaped < len(s) && s[escaped] == '\\' {
		escaped++
	}
	var quote byte
	if escaped < len(s) && strings.IndexByte("\"'`", s[escaped]) >= 0 {
		quote, value = s[escaped], escaped+1
	}
	if value >= len(s) || s[value] == quote || s[i] == '|' && op == i+1 || s[i] == ',' && (!quoted || quote == 0 || from < 2 || s[from-2] != '(' || strings.Contains(name, " ")) || s[i] == '>' && (from == 0 || s[from-1] != '<') {
		return i + 1
	}
	inURL := i < f.url
	g := gradeOf(name, isNumber(s, value))
	if g < secret && inURL && slices.Contains(urlNames, strings.ToLower(name)) {
		g = secret
	}
	if g == plain {
		return i + 1
	}
	if g != secret { // of what is plain no more is looked at than shows it
		head := finder{text: s[:min(len(s), value+maxValue)], url: f.url}
		end := head.valueEnd(name, from, value, quote, s[i], escaped > start)
		if !looksRandom(s[value:end]) && (g != vendor || !isUUID(s[value:end])) {
			return i + 1
		}
	}
	end := f.valueEnd(name, from, value, quote, s[i], escaped > start)
	if g != secret {
		return f.add(value, end)
	}
	spaced := quote == 0 && (!quoted || !isLiteral(s[value])) && value > op && !f.isLine(from, end)
	if spaced && (end-value < shortProse || isProse(s[value:end])) || isStatus(s[value:end], spaced || s[i] == ':') {
		return i + 1
	}
	return f.add(value, end)
}

// name returns the name before an operator at i, whether it stands in quotes, and where it
// begins: up to four words.
func (f *finder) name(i int) (name string, quoted bool, from int) {
	s := f.text
	least := max(0, i-maxName)
	if n := len(f.spans); n > 0 {
		least = max(least, f.spans[n-1].To)
	}
	end := i
	for end > least && (s[end-1] == ' ' || s[end-1] == '\t' || s[end-1] == '?' || s[end-1] == ':' || s[end-1] == '+' || s[end-1] == '.') {
		end--
	}
	for end > least && (s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '`' || s[end-1] == ']' || s[end-1] == '\\') {
		quoted = true
		end--
	}
	if end == least || i-end > 20 {
		return "", false, i
	}
	from = end
	for words := 0; from > least; from-- {
		c := s[from-1]
		if c == ' ' {
			if words++; words == 4 || from-1 == least || !isNameByte(s[from-2]) {
				break
			}
		} else if !isNameByte(c) {
			break
		}
	}
	return s[from:end], quoted, from
}

// isNameByte reports whether a byte may stand in a name. What is no ASCII may.
func isNameByte(c byte) bool { return isAlnum(c) || c == '-' || c == '.' || c >= 0x80 }

// isNumber reports whether a number begins at i, and nothing else.
func isNumber(s string, i int) bool {
	from := i
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' && i > from) {
		i++
	}
	return i > from && (i == len(s) || !isAlnum(s[i]) && s[i] != '-' && s[i] != '/')
}

// headers whose values have more than one word, and how far they go.
var headers = [...]string{"cookie", "cookies", "set-cookie", "authorization", "proxy-authorization", "x-authorization", "auth"}

// valueEnd returns where a value ends that begins at i.
func (f *finder) valueEnd(name string, from, i int, quote, op byte, escaped bool) int {
	s := f.text
	switch {
	case quote != 0:
		end := quoteEnd(s, i, quote)
		if escaped { // in JSON in a text, where the quote itself is escaped
			end = i + len(s[i:])
			if q := strings.Index(s[i:], `\`+string(quote)); q >= 0 {
				end = i + q
			}
		}
		return end
	case op == '>':
		return until(s, i, "<")
	case strings.IndexByte("[{", s[i]) >= 0:
		return bracketEnd(s, i)
	}
	if header := strings.ToLower(lastWord(name)); slices.Contains(headers[:], header) {
		if strings.Contains(header, "cookie") && op == ':' {
			return until(s, i, "\r\n\"'`")
		}
		return schemeEnd(s, i)
	}
	if op == '=' && isVariable(s[from:from+len(name)]) && (from == 0 || s[from-1] == '\n') && f.url <= from {
		if end := until(s, i, "\r\n"); !isForm(s[i:end]) {
			return end
		}
	}
	for end := i; ; end++ {
		if end == len(s) || strings.IndexByte(" \t\r\n\"'`,;<>(){}[]\\", s[end]) >= 0 || s[end] == '&' && isPair(s[end+1:]) || end < f.url && s[end] == '#' {
			return sentenceEnd(s, i, end)
		}
	}
}

// lastWord returns a name without the words before it.
func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// schemeEnd returns where the value of a header that authorizes ends: a scheme and what
// follows it, or a word.
func schemeEnd(s string, i int) int {
	end := until(s, i, " \t\r\n\"'`,;")
	word := s[i:end]
	if end == len(s) || s[end] != ' ' {
		return end
	}
	switch strings.ToLower(word) {
	case "bearer", "basic", "token", "apikey", "negotiate", "ntlm", "key", "bot", "splunk", "api-key", "sso-key", "genie-key":
		return sentenceEnd(s, end+1, until(s, end+1, " \t\r\n\"'`,;"))
	case "digest", "hawk", "oauth", "sharedkey", "sharedaccesssignature", "signature", "mac":
		return until(s, end, "\r\n")
	}
	if strings.HasPrefix(word, "AWS") || strings.HasPrefix(word, "GOOG") {
		return until(s, end, "\r\n\"'`")
	}
	return end
}

// until returns where the first of some bytes stands from i on, or the end.
func until(s string, i int, bytes string) int {
	if n := strings.IndexAny(s[i:], bytes); n >= 0 {
		return i + n
	}
	return len(s)
}

// bracketEnd returns where the list or object ends that begins at i.
func bracketEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// isVariable reports whether a name is written as those of environment variables are.
func isVariable(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// isPair reports whether a text begins with a name and an equals sign.
func isPair(s string) bool {
	i := 0
	for i < len(s) && i < maxName && isNameByte(s[i]) {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '='
}

// isForm reports whether further names and values follow in a text.
func isForm(s string) bool {
	for i := range len(s) {
		if s[i] == ';' || s[i] == '&' && isPair(s[i+1:]) {
			return true
		}
	}
	return false
}

// isLine reports whether a name from here and a value to there are a line of their own.
func (f *finder) isLine(from, to int) bool {
	s := f.text
	for from > 0 && (s[from-1] == ' ' || s[from-1] == '\t' || s[from-1] == '-') {
		from--
	}
	for to < len(s) && (s[to] == ' ' || s[to] == '\r') {
		to++
	}
	return (from == 0 || s[from-1] == '\n') && (to == len(s) || s[to] == '\n') && strings.Contains(s, "\n")
}

// statuses are what is said of a secret in place of its value.
var statuses = strings.Fields(`required missing invalid empty blank expired unknown incorrect wrong null none nil true false undefined optional unset
	revoked rejected denied malformed string str text number int integer bool boolean object array list bytes any masked redacted hidden ... *** ***** [masked] [argument] must is not no flag option argument parameter environment variable or and`)

// isStatus reports whether a value says something of the secret, or of its type.
func isStatus(value string, spaced bool) bool {
	if len(value) > 10 || value == "" {
		return value == ""
	}
	return (spaced || strings.HasPrefix(value, "[")) && slices.Contains(statuses, strings.ToLower(strings.Trim(value, ".")))
}

// isLiteral reports whether a value of JSON without quotes may begin with a byte.
func isLiteral(c byte) bool { return c >= '0' && c <= '9' || strings.IndexByte("-[{", c) >= 0 }

// isUUID reports whether a text is a UUID (RFC 9562).
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}
