package redact

import "strings"

// secretPaths are addresses whose further path is a secret: it permits writing there.
var secretPaths = [...]string{
	"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", ".webhook.office.com/", "outlook.office.com/webhook/",
	"discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "api.telegram.org/bot", "hooks.zapier.com/hooks/", "maker.ifttt.com/use/", "hooks.chime.aws/",
}

// address reads a URL, whose :// ends at i, and returns where to continue. Its query is
// read like other assignments.
func (f *finder) address(i int) int {
	s := f.text
	if i < f.url { // inside another URL
		return i
	}
	f.url = until(s, i, " \t\r\n\"'`<>\\")
	rest := s[i:f.url]
	host := rest
	if n := strings.IndexAny(rest, "/?#"); n >= 0 {
		host = rest[:n]
	}
	at := strings.LastIndexByte(host, '@')
	if at < 0 && !portOnly(host) {
		at = strings.LastIndexByte(rest, '@') // a password may contain a slash or a question mark
	}
	next := i
	if at >= 0 {
		user, password, both := strings.Cut(rest[:at], ":")
		from := i
		if both && password != "" && !looksRandom(user) {
			from += len(user) + 1
		}
		next = f.add(from, i+at)
	}
	for _, path := range secretPaths {
		if n := strings.Index(rest[:min(len(rest), maxName)], path); n >= 0 && i+n+len(path) >= next {
			return f.add(i+n+len(path), sentenceEnd(s, i, f.url))
		}
	}
	return next
}

// at reads an @ at i outside a URL: a data source such as root:hunter2@tcp(db:3306)/orders
// has its password before it.
func (f *finder) at(i int) int {
	s := f.text
	if i < f.url {
		return i + 1
	}
	host := i + 1
	for host < len(s) && (isAlnum(s[host]) || s[host] == '.' || s[host] == '-') {
		host++
	}
	if host == len(s) || s[host] != '(' && s[host] != '/' && (s[host] != ':' || host+1 == len(s) || s[host+1] < '0' || s[host+1] > '9') {
		return i + 1
	}
	least := max(0, i-maxName)
	if n := len(f.spans); n > 0 {
		least = max(least, f.spans[n-1].To)
	}
	from := i
	for from > least && strings.IndexByte(" \t\r\n\"'`<>", s[from-1]) < 0 {
		from--
	}
	if colon := strings.IndexByte(s[from:i], ':'); colon > 0 && from+colon+1 < i {
		return f.add(from+colon+1, i)
	}
	return i + 1
}
