package evidence

import (
	"net"
	"net/url"
	"strings"
)

// scoreHost returns the score of an argument for the host in an error. The argument may be
// the host, a URL or address with it, or the first label of its name.
func scoreHost(l *leaf, name string) int {
	if l.number || len(l.text) > maxText {
		return noMatch
	}
	text, host := strings.ToLower(strings.TrimSpace(l.text)), strings.ToLower(name)
	switch {
	case hostOf(text) == host:
		return joined
	case !strings.ContainsAny(host, ".:"): // one word, which may be anything
		if text == host && namesHost(l.name()) {
			return same
		}
		return noMatch
	case strings.TrimSuffix(text, ".") == host:
		return same
	case holdsHost(text, host):
		return similar
	}
	label, _, _ := strings.Cut(host, ".")
	if text == label && len(label) >= shortText {
		return similar
	}
	return noMatch
}

// namesHost reports whether the name of an argument indicates a host.
func namesHost(name string) bool {
	return mentions(name, "host", "url", "uri", "server", "address", "domain", "endpoint", "site")
}

// mentions reports whether a name contains one of the words, which are in lower case.
func mentions(name string, words ...string) bool {
	name = strings.ToLower(name)
	for _, word := range words {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// hostOf returns the host of a URL, of a host with a port, or of a mail address, in lower
// case, or "".
func hostOf(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return strings.TrimSuffix(u.Hostname(), ".")
	}
	if host, _, err := net.SplitHostPort(text); err == nil {
		return host
	}
	if _, host, ok := strings.Cut(text, "@"); ok && !strings.ContainsAny(host, "@/ ") {
		return host
	}
	return ""
}

// holdsHost reports whether a text contains a whole host.
func holdsHost(text, host string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], host)
		if i < 0 {
			return false
		}
		from += i
		to := from + len(host)
		before := from == 0 || !isHostByte(text[from-1])
		behind := to == len(text) || !isHostByte(text[to]) || text[to] == '.' && (to+1 == len(text) || !isHostByte(text[to+1]))
		if before && behind {
			return true
		}
		from++
	}
}

func isHostByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c >= 0x80
}

// scoreURL returns the score of an argument for the URL in an error. The argument may be the
// URL in another spelling, its host, or a part of it.
func scoreURL(l *leaf, name string) int {
	text, named := strings.TrimSpace(l.text), strings.TrimSpace(name)
	if text == "" || l.number {
		return noMatch
	}
	if normalURL(text) == normalURL(named) {
		return same
	}
	u, err := url.Parse(named)
	switch {
	case len(named) >= shortText && len(text) <= maxText && holds(text, named):
		return similar
	case strings.Contains(text, "://") && strings.HasPrefix(named, text): // the tool has appended something
		return joined
	case err != nil && isBadSuffix(named, text):
		return joined // to the tool's own address
	case err == nil && u.Host != "" && scoreHost(l, u.Hostname()) >= joined:
		return joined
	}
	return noMatch
}

// isBadSuffix reports whether an invalid URL ends with a text, and is valid without it.
func isBadSuffix(named, text string) bool {
	base, ok := strings.CutSuffix(named, text)
	if !ok || len(text) < shortText {
		return false
	}
	_, err := url.Parse(base)
	return err == nil
}

// normalURL returns a URL in a normal form.
func normalURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	return strings.TrimSuffix(unescaped(u.String()), "/")
}
