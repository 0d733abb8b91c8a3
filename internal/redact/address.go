package redact

import "strings"

// secretPaths are addresses whose further path is a secret, because it permits writing there. A
// host that begins with a dot is the end of a host. Then comes before the secret in the further
// path. From the services' documentation.
var secretPaths = [...]struct{ host, path, then string }{
	{"hooks.slack.com", "/services/", ""},
	{"hooks.slack.com", "/workflows/", ""},
	{"hooks.slack.com", "/triggers/", ""},
	{"hooks.slack-gov.com", "/services/", ""},
	{".webhook.office.com", "/", ""},
	{"outlook.office.com", "/webhook/", ""},
	{"outlook.office365.com", "/webhook/", ""},
	{"discord.com", "/api/", "webhooks/"},
	{".discord.com", "/api/", "webhooks/"},
	{"discordapp.com", "/api/", "webhooks/"},
	{"api.telegram.org", "/bot", ""},
	{"api.telegram.org", "/file/bot", ""},
	{"hooks.zapier.com", "/hooks/", ""},
	{"maker.ifttt.com", "/use/", ""},
	{"maker.ifttt.com", "/trigger/", "key/"},
	{"hooks.chime.aws", "/", ""},
	{"hooks.airtable.com", "/workflows/", ""},
	{"open.feishu.cn", "/open-apis/bot/", "hook/"},
	{"open.larksuite.com", "/open-apis/bot/", "hook/"},
	{"events.pagerduty.com", "/integration/", ""},
	{"hc-ping.com", "/", ""},
}

// secretPath finds the secret in the path of an address whose host begins at i, with or without
// a scheme, and returns where it ends, or i if there is none.
func (f *finder) secretPath(i int) int {
	s := f.text
	host := s[i:f.word]
	if strings.IndexByte(host, '.') < 0 {
		return i
	}
	path := f.word
	if s[path] == ':' { // a port
		for path++; path < len(s) && s[path] >= '0' && s[path] <= '9'; path++ {
		}
	}
	for _, known := range secretPaths {
		if host != known.host && (known.host[0] != '.' || !strings.HasSuffix(host, known.host)) || !strings.HasPrefix(s[path:], known.path) {
			continue
		}
		from := path + len(known.path)
		n := strings.Index(s[from:min(len(s), from+maxName)], known.then)
		if n >= 0 && (n == 0 || !strings.ContainsAny(s[from:from+n], " \t\r\n\"'`<>\\")) {
			from += n + len(known.then)
			return f.add(from, sentenceEnd(s, from, until(s, from, " \t\r\n\"'`<>\\")))
		}
	}
	return i
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
	return next
}

// at reads an @ at i outside a URL: a data source such as root:hunter2@tcp(db:3306)/orders
// has its password before it.
func (f *finder) at(i int) int {
	s := f.text
	if i < f.url {
		return i + 1
	}
	if i+1 < len(s) && s[i+1] == '/' || len(f.command.flags) > 0 && f.command.flags[0].mark == '/' {
		if to := f.loginEnd(f.wordStart(i), i); to > i {
			return to
		}
	}
	host := i + 1
	for host < len(s) && (isAlnum(s[host]) || s[host] == '.' || s[host] == '-') {
		host++
	}
	if host == len(s) || s[host] != '(' && s[host] != '/' && (s[host] != ':' || host+1 == len(s) || s[host+1] < '0' || s[host+1] > '9') {
		return i + 1
	}
	from := f.wordStart(i)
	if colon := strings.IndexByte(s[from:i], ':'); colon > 0 && from+colon+1 < i {
		return f.add(from+colon+1, i)
	}
	return i + 1
}

// wordStart returns where the word that ends at i begins, at most the length of a name before it.
func (f *finder) wordStart(i int) int {
	least := max(0, i-maxName)
	if n := len(f.spans); n > 0 {
		least = max(least, f.spans[n-1].To)
	}
	for i > least && strings.IndexByte(" \t\r\n\"'`<>", f.text[i-1]) < 0 {
		i--
	}
	return i
}
