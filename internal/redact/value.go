package redact

import (
	"slices"
	"strings"
	"sync"
)

// headers are those whose values have more than one word, with the extent of their values.
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
	case a.block:
		return blockEnd(s, i)
	case a.op == '>':
		return until(s, i, "<")
	case strings.IndexByte("[{", s[i]) >= 0:
		return run(s, bracketEnd(s, i), dotted) // {SSHA}...
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

// lastWord returns the last word of a name.
func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// schemeEnd returns the end of the value of an authorization header: a scheme and its
// credentials, or a word.
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

// until returns the position of the first of some bytes from i on, or the end.
func until(s string, i int, bytes string) int {
	if n := strings.IndexAny(s[i:], bytes); n >= 0 {
		return i + n
	}
	return len(s)
}

// bracketEnd returns the end of the list or object at i.
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

// isVariable reports whether a name is spelled like an environment variable.
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

// isForm reports whether a text continues with another name and value.
func isForm(s string) bool {
	for i := range len(s) {
		if s[i] == ';' || s[i] == '&' && isPair(s[i+1:]) {
			return true
		}
	}
	return false
}

// isLine reports whether the name at from and the value up to to are a whole line.
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

// statuses are words about a secret that occur in place of its value.
var statuses = sync.OnceValue(func() []string {
	return strings.Fields(`required missing invalid empty blank expired unknown incorrect wrong null none nil true false undefined optional unset
	revoked rejected denied malformed string str text number int integer bool boolean object array list bytes any masked redacted hidden ... *** ***** [masked] [argument] must is not no flag option argument parameter environment variable or and`)
})

// isStatus reports whether a value describes the secret or its type.
func isStatus(value string, spaced bool) bool {
	if len(value) > 10 || value == "" {
		return value == ""
	}
	return (spaced || strings.HasPrefix(value, "[")) && slices.Contains(statuses(), strings.ToLower(strings.Trim(value, ".")))
}

// isLiteral reports whether a value may be a JSON literal without quotes.
func isLiteral(value string) bool {
	return value != "" && (value[0] >= '0' && value[0] <= '9' || strings.IndexByte("-[{", value[0]) >= 0)
}

// isUUID reports whether a text is a UUID (RFC 9562).
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}
