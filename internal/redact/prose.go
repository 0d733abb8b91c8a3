package redact

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// named is a value behind its name: "api_key=...", "Incorrect API key provided: ...".
// Shorter values are words of the sentence.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z][\w.-]*(?: [A-Za-z][\w-]*){0,3})(["'` + "`" + `]?\s*[:=]\s*["'` + "`" + `]?)([^\s"'` + "`" + `,;(){}\[\]]{6,})`)
})

// credentials are values that are credentials whatever stands before them: those of the
// schemes of HTTP authentication, JSON web tokens (RFC 7519), private keys, and the
// prefixes that GitHub, GitLab, Slack, AWS, Google, Stripe and OpenAI have for theirs so
// that scanners find them.
var credentials = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i:\b(?:bearer|basic) +)[\w.~+/=-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?|` +
		`\b(?:gh[oprsu]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|A(?:KIA|SIA)[0-9A-Z]{12,}|AIza[\w-]{20,}|(?:sk|pk|rk|whsec)[-_][\w*-]{6,})`)
})

// Secrets takes out of prose what [URLs] takes out of URLs, the values that stand behind
// the names of secrets, and what is a credential by its form.
func Secrets(s string) string {
	s = credentials().ReplaceAllString(URLs(s), masked)
	if !strings.ContainsAny(s, ":=") {
		return s
	}
	return named().ReplaceAllStringFunc(s, func(match string) string {
		parts := named().FindStringSubmatch(match)
		var value any = parts[3]
		if strings.Trim(parts[3], "0123456789") == "" {
			value = json.Number(parts[3])
		}
		if !secretName(parts[1], value) {
			return match
		}
		return parts[1] + parts[2] + masked
	})
}
