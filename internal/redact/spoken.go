package redact

import (
	"slices"
	"strings"
)

// spokenNames are the names of passwords that are followed by a value without an operator, as
// in SQL (PASSWORD 'x'), in netrc (password x) and in sentences (the password is x).
var spokenNames = [...]string{"password", "passwd", "passphrase", "passcode", "passwort", "kennwort"}

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
	case name == "identified" && len(s) > end+4 && strings.EqualFold(s[end:end+4], " by "):
		from = end + 3
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
		if value := s[start:max(to, start)]; len(value) >= shortProse && !isProse(value) && !strings.ContainsAny(value, " \t\n") {
			return f.add(start, to)
		}
		return end
	}
	limit := min(len(s), start+maxValue)
	to := sentenceEnd(s, start, until(s[:limit], start, " \t\r\n\"'`,;()<>"))
	if value := s[start:to]; to < limit && (looksRandom(value) || isGenerated(value)) || to == len(s) && isGenerated(value) {
		return f.add(start, to)
	}
	return end
}

// isGenerated reports whether a text has at least eight characters, with digits and letters
// of both cases.
func isGenerated(s string) bool {
	return len(s) >= 8 && strings.ContainsAny(s, "0123456789") && s != strings.ToLower(s) && s != strings.ToUpper(s)
}
