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

// An assigned is a name and the value that it is given.
type assigned struct {
	name       string
	from       int  // where the name begins
	op         byte // the operator
	value      int  // where the value begins
	quote      byte // that the value stands in, or 0
	escaped    bool // the quote itself
	nameQuoted bool
	apart      bool // there is space before the value
}

// assignment looks at an operator at i between a name and a value, and returns where to
// go on: behind the value if it is a secret.
func (f *finder) assignment(i int) int {
	a, ok := f.assigned(i)
	if !ok {
		return i + 1
	}
	s := f.text
	g := gradeOf(a.name, isNumber(s, a.value))
	if g < secret && i < f.url && slices.Contains(urlNames, strings.ToLower(a.name)) {
		g = secret
	}
	if g == plain {
		return i + 1
	}
	if g != secret { // of what is plain no more is looked at than shows it
		head := finder{text: s[:min(len(s), a.value+maxValue)], url: f.url}
		end := head.valueEnd(a)
		if !looksRandom(s[a.value:end]) && (g != vendor || !isUUID(s[a.value:end])) {
			return i + 1
		}
		return f.add(a.value, f.valueEnd(a))
	}
	end := f.valueEnd(a)
	value := s[a.value:end]
	inProse := a.quote == 0 && (!a.nameQuoted || !isLiteral(value)) && a.apart && !f.isLine(a.from, end)
	if inProse && (len(value) < shortProse || isProse(value)) || isStatus(value, inProse || a.op == ':') {
		return i + 1
	}
	return f.add(a.value, end)
}

// assigned reads what stands around an operator at i, and reports whether it is one.
func (f *finder) assigned(i int) (a assigned, ok bool) {
	s := f.text
	a.op = s[i]
	if a.name, a.nameQuoted, a.from = f.name(i); a.name == "" {
		return a, false
	}
	op := i + 1
	for op < len(s) && strings.IndexByte(":=>|", s[op]) >= 0 {
		op++
	}
	start := op
	for start < len(s) && start < op+20 && (s[start] == ' ' || s[start] == '\t') {
		start++
	}
	a.value = start
	quote := start
	for quote < len(s) && s[quote] == '\\' {
		quote++
	}
	if quote < len(s) && strings.IndexByte("\"'`", s[quote]) >= 0 {
		a.quote, a.value, a.escaped = s[quote], quote+1, quote > start
	}
	a.apart = a.value > op
	if a.value >= len(s) || s[a.value] == a.quote {
		return a, false
	}
	switch a.op {
	case ',': // of a call: setenv("NAME", "value")
		return a, a.nameQuoted && a.quote != 0 && a.from >= 2 && s[a.from-2] == '(' && !strings.Contains(a.name, " ")
	case '>': // of XML
		return a, a.from > 0 && s[a.from-1] == '<'
	case '|':
		return a, op > i+1
	}
	return a, true
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

// valueEnd returns where a value ends.
func (f *finder) valueEnd(a assigned) int {
	s, i := f.text, a.value
	switch {
	case a.quote != 0:
		end := quoteEnd(s, i, a.quote)
		if a.escaped { // in JSON in a text, where the quote itself is escaped
			end = i + len(s[i:])
			if q := strings.Index(s[i:], `\`+string(a.quote)); q >= 0 {
				end = i + q
			}
		}
		return end
	case a.op == '>':
		return until(s, i, "<")
	case strings.IndexByte("[{", s[i]) >= 0:
		return bracketEnd(s, i)
	}
	if header := strings.ToLower(lastWord(a.name)); slices.Contains(headers[:], header) {
		if strings.Contains(header, "cookie") && a.op == ':' {
			return until(s, i, "\r\n\"'`")
		}
		return schemeEnd(s, i)
	}
	if a.op == '=' && isVariable(a.name) && (a.from == 0 || s[a.from-1] == '\n') && f.url <= a.from {
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

// isLiteral reports whether a value may be one of JSON without quotes.
func isLiteral(value string) bool {
	return value != "" && (value[0] >= '0' && value[0] <= '9' || strings.IndexByte("-[{", value[0]) >= 0)
}

// isUUID reports whether a text is a UUID (RFC 9562).
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}
