package redact

import (
	"slices"
	"strings"
)

// spokenNames are the names of passwords that are followed by a value without an operator, as
// in SQL (PASSWORD 'x'), in netrc (password x) and in sentences (the password is x).
var spokenNames = [...]string{"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "requirepass", "masterauth"}

// spoken finds the password after its name, which ends at end. A value without quotes has
// to look generated.
func (f *finder) spoken(i, end int) int {
	s, name := f.text, strings.ToLower(f.text[i:min(end, i+maxName)])
	from := end
	switch {
	case slices.Contains(spokenNames[:], name):
		for _, verb := range [...]string{" is ", " was ", " ist ", " lautet ", " to ", " for "} {
			if strings.HasPrefix(s[end:], verb) {
				from = end + len(verb) - 1
				break
			}
		}
	case name == "identified":
		if from = identifiedBy(s, end); from == end {
			return end
		}
	default:
		return end
	}
	start := from
	for start < len(s) && start < from+20 && (s[start] == ' ' || s[start] == '\t' || s[start] == '(') {
		start++
	}
	if start == from || start == len(s) {
		return end
	}
	if quote := s[start]; quote == '\'' || quote == '"' || quote == '`' {
		start++
		to := start + strings.IndexByte(s[start:min(len(s), start+maxValue)], quote)
		if value := s[start:max(to, start)]; len(value) >= shortProse && !isProse(value) && (!strings.ContainsAny(value, " \t\n") || hasSigns(value)) {
			return f.add(start, to)
		}
		return end
	}
	limit := min(len(s), start+maxValue)
	to := sentenceEnd(s, start, until(s[:limit], start, " \t\r\n\"'`,;()<>"))
	isCertain := isConfigured(name) || isLogin(s[max(0, i-maxName):i]) && !isProse(s[start:to])
	if isCertain || isUnquoted(s[start:to], to < limit, to == len(s)) {
		return f.add(start, to)
	}
	return end
}

// isUnquoted reports whether a value without quotes looks like a password. It has to end before
// the limit of a value, or with the text.
func isUnquoted(value string, isWhole, isLast bool) bool {
	return isWhole && looksRandom(value) || (isWhole || isLast) && isGenerated(value)
}

// identifiedBy returns where the value begins after IDENTIFIED, which ends at i, or i: BY, or
// WITH and the name of a plugin, and BY.
func identifiedBy(s string, i int) int {
	words := strings.SplitN(s[i:min(len(s), i+maxValue)], " ", 5)
	for n := range words {
		if n > 0 && n+1 < len(words) && strings.EqualFold(words[n], "by") && (n == 1 || n == 3 && strings.EqualFold(words[1], "with")) {
			return i + len(strings.Join(words[:n+1], " "))
		}
	}
	return i
}

// hasSigns reports whether a text with spaces looks like a passphrase rather than a sentence.
func hasSigns(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "!@#$%^&*") && !strings.Contains(s, "\n")
}

// isConfigured reports whether a name is a setting of a configuration file, which always has a
// value after it.
func isConfigured(name string) bool { return name == "requirepass" || name == "masterauth" }

// isLogin reports whether a text ends with a login of netrc, such as "login ann ".
func isLogin(s string) bool {
	s = strings.TrimRight(s, " \t\r\n")
	s = s[:max(0, strings.LastIndexAny(s, " \t\r\n"))]
	return strings.HasSuffix(strings.TrimRight(s, " \t"), login)
}

// isGenerated reports whether a text has at least eight characters, with digits and letters
// of both cases.
func isGenerated(s string) bool {
	return len(s) >= 8 && strings.ContainsAny(s, "0123456789") && s != strings.ToLower(s) && s != strings.ToUpper(s)
}
