// Package redact masks credentials in text and in arguments that are shown or logged. It recognizes
// them by their form or by the name beside them; credentials.txt lists both.
package redact

import "strings"

const masked = "[masked]"

// A Span is the position of a secret in a text, in bytes.
type Span struct{ From, To int }

// Mask returns a text in which [masked] replaces each secret that [Find] finds.
func Mask(s string) string {
	var b strings.Builder
	from := 0
	for _, span := range Find(s) {
		b.WriteString(s[from:span.From])
		b.WriteString(masked)
		from = span.To
	}
	return b.String() + s[from:]
}

// Find returns the positions of the secrets in a text, in ascending order: values beside the name
// of a secret (assignments, headers, forms, flags, JSON) or after Basic or Bearer, passwords and
// lone user names in addresses, private keys, and card numbers, and tokens in an issuer's form or
// that of JSON web tokens. The work is linear in the length of the text.
func Find(s string) []Span {
	f := finder{text: s, table: rows()}
	for i := 0; i < len(s); {
		switch s[i] {
		case ' ':
			i++
		case '=':
			i = f.assignment(i)
		case ':':
			i = f.colon(i)
		case '-':
			i = f.dash(i)
		case '@':
			i = f.at(i)
		case '\\':
			i += 2 // an escaped character begins no word
		default:
			i = f.token(i)
		}
	}
	return f.spans
}

// A finder reads a text once, from beginning to end. It continues after each secret, and no rule
// reads back further than maxName and an indent.
type finder struct {
	text  string
	table *table
	spans []Span
	url   int // the end of the last URL
}

// add adds a secret and returns where to continue.
func (f *finder) add(from, to int) int {
	if from < to {
		f.spans = append(f.spans, Span{from, to})
	}
	return to
}

// least returns how far back a rule at i may read.
func (f *finder) least(i int) int {
	if n := len(f.spans); n > 0 {
		return max(i-maxName, f.spans[n-1].To)
	}
	return max(i-maxName, 0)
}

// token reads a word of letters and digits, or another character, at i, and returns where to continue.
func (f *finder) token(i int) int {
	s, to := f.text, i
	if !alnum[s[i]] {
		return i + 1
	}
	if i+1 < len(s) && f.table.pairs[s[i]][s[i+1]] != 0 {
		to = f.credential(i)
	}
	if digit[s[i]] && i+12 < len(s) && digit[s[i+3]] && s[i+12] <= '9' { // 13 digits, the first four in one group
		to = max(to, f.card(i))
	}
	if to > i {
		return f.add(i, to)
	}
	end := alnum.end(s, i)
	if s[i]|' ' != 'b' || !strings.EqualFold(s[i:end], "basic") && !strings.EqualFold(s[i:end], "bearer") {
		return end // most words take this way
	}
	from := blankEnd(s, end) // after the name of an authentication scheme (RFC 9110)
	to = token68End(s, from)
	isParameter := to < len(s) && s[to] == '"' && s[to-1] == '=' // error="invalid_token"
	if to = punctuation.start(s, from, to); isParameter || to-from < 8 || isProse(s[from:to]) {
		return end
	}
	return f.add(i, to)
}

// maxGap is the maximum length of the text between a name and its operator or value, in bytes. It
// is enough for a quote and a space, or for the alignment of a column.
const maxGap = 20

// blankEnd returns the end of the spaces at i.
func blankEnd(s string, i int) int { return blank.end(s[:min(len(s), i+maxGap)], i) }

// until returns the position of the first of the bytes at or after i, or the end.
func until(s string, i int, bytes string) int {
	if n := strings.IndexAny(s[i:], bytes); n >= 0 {
		return i + n
	}
	return len(s)
}

// dash reads a dash at i, which may begin a private key in PEM (RFC 7468) or a flag with its value.
func (f *finder) dash(i int) int {
	s := f.text
	const begin, maxLabel = "-----BEGIN", 200
	if strings.HasPrefix(s[i:], begin) {
		label, _, _ := strings.Cut(s[i+len(begin):min(len(s), i+maxLabel)], "-----")
		if strings.Contains(label, "PRIVATE KEY") {
			_, rest, _ := strings.Cut(s[i:], "-----END"+label+"-----")
			return f.add(i, len(s)-len(rest))
		}
	}
	if i > 0 && strings.IndexByte(" \t\n\r\"'`[(,=", s[i-1]) < 0 {
		return i + 1
	}
	start := len(s) - len(strings.TrimLeft(s[i:], "-"))
	end := inName.end(s, start)
	v := valueAt(s, end)
	if start-i > 2 || end == start || v.from == end || v.from == len(s) || s[v.from] == '-' ||
		gradeOf(s[start:end]) != secret {
		return start
	}
	to := v.end(s)
	if f.table.words["status"][strings.ToLower(s[v.from:to])] { // "the --token flag"
		return start
	}
	return f.add(v.from, to)
}

// colon reads a colon at i: that of an assignment, or of a URL, after whose user and password, if any, it
// continues. A URL's query is read like other assignments.
func (f *finder) colon(i int) int {
	s := f.text
	if !strings.HasPrefix(s[i:], "://") {
		return f.assignment(i)
	}
	if i += len("://"); i < f.url { // inside another URL
		return i
	}
	f.url = until(s, i, " \t\r\n\"'`<>\\")
	rest := s[i:f.url]
	host := rest[:until(rest, 0, "/?#")]
	at := strings.LastIndexByte(host, '@')
	if colon := strings.LastIndexByte(host, ':'); at < 0 && colon >= 0 &&
		strings.Trim(host[colon:], ":0123456789.,)]") != "" {
		at = strings.LastIndexByte(rest, '@') // no port: a password may contain a slash or a question mark
	}
	from, userinfo := i, rest[:max(at, 0)]
	if user, _, hasPassword := strings.Cut(userinfo, ":"); hasPassword && !looksRandom(user) {
		from += len(user) + 1
	}
	return f.add(from, i+len(userinfo))
}

// at finds the password before an @ at offset i, not in a URL: root:hunter2@tcp(db:3306)/orders.
func (f *finder) at(i int) int {
	s := f.text
	host := inName.end(s, i+1)
	if i < f.url || host == len(s) || strings.IndexByte("(/:", s[host]) < 0 {
		return i + 1
	}
	from := f.least(i)
	from += strings.LastIndexAny(s[from:i], " \t\r\n\"'`<>") + 1
	if colon := strings.IndexByte(s[from:i], ':'); colon > 0 && from+colon+1 < i {
		return f.add(from+colon+1, i)
	}
	return i + 1
}
