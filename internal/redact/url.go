package redact

import "strings"

// URLs removes user, password, query and fragment from every URL in s, because
// [net/url.Error] and many other errors print them in full.
func URLs(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.Index(s, "://")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		i += len("://")
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexFunc(s, func(r rune) bool {
			return r <= ' ' || r == '"' || r == '<' || r == '>' // a query may contain anything else
		})
		if end < 0 {
			end = len(s)
		}
		b.WriteString(urlRest(s[:end]))
		s = s[end:]
	}
}

// urlRest redacts the part of a URL after its ://.
func urlRest(rest string) string {
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 && !portOnly(authority) {
		// A password may contain a slash or a question mark.
		at = strings.LastIndexByte(rest, '@')
	}
	rest = rest[at+1:]
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		tail := strings.TrimLeft(rest[i:], "?#")
		rest = rest[:i]
		// The sentence's punctuation after the URL is kept.
		if end := strings.TrimRight(tail, ".,:;)]'`"); end != tail {
			rest += tail[len(end):]
		}
	}
	return rest
}

// portOnly reports whether authority is a host with an optional port after its colon, and
// not the beginning of user:password.
func portOnly(authority string) bool {
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || strings.HasSuffix(authority, "]") {
		return true
	}
	for _, c := range []byte(authority[i+1:]) {
		if c < '0' || c > '9' {
			return c == '.' || c == ',' || c == ')' // the end of a sentence
		}
	}
	return true
}
