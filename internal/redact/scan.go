package redact

import "strings"

// masked replaces the value of a secret.
const masked = "[masked]"

// A Span is the position of a secret in a text, in bytes.
type Span struct{ From, To int }

// Find returns the positions of the secrets in a text, in ascending order: the values of
// secret names in assignments, headers, forms, flags and JSON, users and passwords in URLs,
// and credentials with a recognizable form anywhere. The work is linear in the length of
// the text.
func Find(s string) []Span {
	f := finder{text: s}
	f.find()
	return f.spans
}

// Mask returns a text in which [masked] replaces each secret that [Find] finds.
func Mask(s string) string {
	f := finder{text: s}
	f.find()
	return f.masked()
}

// masked returns the text with its secrets replaced.
func (f *finder) masked() string {
	if len(f.spans) == 0 {
		return f.text
	}
	var b strings.Builder
	b.Grow(len(f.text))
	from := 0
	for _, span := range f.spans {
		b.WriteString(f.text[from:span.From])
		b.WriteString(masked)
		from = span.To
	}
	b.WriteString(f.text[from:])
	return b.String()
}

// Secrets applies [URLs] and then [Mask] to a text.
func Secrets(s string) string { return Mask(URLs(s)) }

// A finder reads a text once, from beginning to end. After a secret it continues behind it,
// and no rule reads back further than the length of a name.
type finder struct {
	text  string
	spans []Span
	word  int // the end of the last word, including dots and dashes
	url   int // the end of the last URL
	pair  int // up to where a value belongs to the name of a secret before it

	programs   *[1 << 10][]program
	command    command // the last program
	commandEnd int     // where its name ends
}

// add adds a secret and returns where to continue.
func (f *finder) add(from, to int) int {
	if n := len(f.spans); n > 0 && from < f.spans[n-1].To {
		from = f.spans[n-1].To
	}
	if from < to {
		f.spans = append(f.spans, Span{from, to})
	}
	return to
}

func (f *finder) find() {
	s := f.text
	f.programs = programTable()
	for i := 0; i < len(s); {
		switch kinds[s[i]] {
		case letter:
			i = f.token(i)
		case operator:
			if s[i] == ':' {
				i = f.colon(i)
			} else {
				i = f.assignment(i)
			}
		case '-':
			i = f.dash(i)
		case '@':
			i = f.at(i)
		case '$':
			i = f.sign(i)
		case '\\':
			i += 2 // what is escaped begins no word
		default:
			i++
		}
	}
}

// colon reads a colon at i: of a URL, of a line of a password file, or of an assignment.
func (f *finder) colon(i int) int {
	s := f.text
	if i+1 < len(s) {
		switch c := s[i+1]; {
		case c == '/' && strings.HasPrefix(s[i:], "://"):
			return f.address(i + len("://"))
		case c == '*' || c >= '0' && c <= '9':
			if to := f.pgpass(i); to > i {
				return to
			}
		}
	}
	return f.assignment(i)
}

// The kinds of bytes that begin something. Others are their own kind.
const (
	letter   = 'w' // also a digit or an underscore
	operator = '='
)

var kinds = func() (list [256]byte) {
	for c := range 256 {
		switch b := byte(c); {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_':
			list[c] = letter
		case b == '=', b == ':', b == '>', b == ',', b == '|':
			list[c] = operator
		case b == '-', b == '@', b == '\\':
			list[c] = b
		case b == '$', b == '{', b == '%':
			list[c] = '$'
		}
	}
	return list
}()

func isAlnum(c byte) bool { return kinds[c] == letter }

// token reads a word of letters and digits that begins at i, and returns where it ends.
func (f *finder) token(i int) int {
	s := f.text
	end := i
	for end < len(s) && isAlnum(s[end]) {
		end++
	}
	if f.word < end {
		f.word = end
		for f.word < len(s) && isWordByte(s[f.word]) {
			f.word++
		}
		if len(f.programs[at(s, i)]) > 0 || f.word < len(s) && (s[f.word] == '/' || s[f.word] == ':') {
			if to := f.longWord(i, end); to > end {
				return to
			}
		}
	}
	if end-i >= 2 || end < len(s) && (s[end] == '.' || s[end] == '-' || s[end] == '~') {
		if to := credential(s, i, f.word); to > i {
			return f.add(i, to)
		}
	}
	return f.announced(i, end)
}

// announced finds a secret after a word that announces one: the name of a secret or of an HTTP
// authentication scheme. It returns where to continue: after the secret, or at end.
func (f *finder) announced(i, end int) int {
	s, n := f.text, end-i
	switch c := s[i] | 0x20; {
	case n >= len("passwd") && (c == 'p' || c == 'k' || c == 'i' || c == 'r' || c == 'm'):
		return max(end, f.spoken(i, end))
	case n == len("ConvertTo") && c == 'c' && f.word-i == len(secureString) && strings.EqualFold(s[i:f.word], secureString):
		return max(end, f.secureString(f.word))
	case n >= len("basic") && n <= len("bearer") && c == 'b' && end < len(s) && s[end] == ' ':
		return max(end, f.scheme(i, end))
	}
	return end
}

// isWordByte reports whether a byte is a letter, a digit, a dot or a dash.
func isWordByte(c byte) bool { return isAlnum(c) || c == '.' || c == '-' || c == '~' }

// longWord reads a word that begins at i with its dots and dashes: the name of a program, or an
// address or a token with a secret. It returns where to continue: after the secret, or at end.
func (f *finder) longWord(i, end int) int {
	s := f.text
	if (f.word == len(s) || s[f.word] != ':') && f.command.read(s[i:f.word]) { // no scheme of a URL
		f.commandEnd = f.word
	}
	if f.word == len(s) || s[f.word] != '/' && s[f.word] != ':' {
		return end
	}
	const bot = "bot" // in the path of Telegram's API
	if strings.HasPrefix(s[i:end], bot) {
		if to := userToken(s, i+len(bot), f.word); to > end {
			return f.add(i+len(bot), to)
		}
	}
	return max(end, f.secretPath(i))
}

// scheme finds the credentials after the name of an HTTP authentication scheme, unless they
// are a word of a sentence.
func (f *finder) scheme(i, end int) int {
	name := f.text[i:end]
	if !strings.EqualFold(name, "bearer") && !strings.EqualFold(name, "basic") {
		return end
	}
	from := end
	for from < len(f.text) && f.text[from] == ' ' {
		from++
	}
	to := sentenceEnd(f.text, from, credentialEnd(f.text, from))
	if to-from < 8 || isProse(f.text[from:to]) {
		return end
	}
	return f.add(i, to)
}

// credentialEnd returns the end of the token68 (RFC 9110) at i.
func credentialEnd(s string, i int) int {
	for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("-._~+/=", s[i]) >= 0) {
		i++
	}
	return i
}

// isProse reports whether a text is an ordinary word: letters, in lower case except for the
// first, or all in upper case.
func isProse(s string) bool {
	uppers := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c == '-' && i > 0:
		case c >= 'A' && c <= 'Z':
			uppers++
		default:
			return false
		}
	}
	return uppers == 0 || uppers == len(s) || uppers == 1 && s[0] < 'a'
}

// dash reads a dash: a private key in PEM, or a command-line flag.
func (f *finder) dash(i int) int {
	s := f.text
	const begin = "-----BEGIN"
	if len(s)-i > len(begin) && s[i+1] == '-' && strings.EqualFold(s[i:i+len(begin)], begin) {
		if header, _, ok := strings.Cut(s[i+len(begin):min(len(s), i+200)], "-----"); ok && strings.Contains(strings.ToUpper(header), "PRIVATE KEY") {
			from := i + len(begin) + len(header)
			to := len(s)
			if end := strings.Index(s[from:], "-----END"); end >= 0 {
				to = from + end + len("-----END")
				if tail := strings.Index(s[to:min(len(s), to+200)], "-----"); tail >= 0 {
					to += tail + len("-----")
				}
			}
			return f.add(i, to)
		}
	}
	if i > 0 && strings.IndexByte(" \t\n\r\"'`[(,=", s[i-1]) < 0 {
		return i + 1
	}
	return f.flag(i)
}
