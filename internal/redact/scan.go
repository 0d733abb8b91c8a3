package redact

import "strings"

// masked stands for the value of a secret.
const masked = "[masked]"

// A Span is where a secret stands in a text.
type Span struct{ From, To int }

// Find returns where the secrets in a text stand, in their order: the values behind names
// of secrets in assignments, headers, forms, flags and JSON, users and passwords of URLs,
// and what is a credential by its form, wherever it stands. The work is linear in the text.
func Find(s string) []Span {
	f := finder{text: s}
	f.find()
	return f.spans
}

// Mask returns a text with [masked] in place of each secret that [Find] finds.
func Mask(s string) string {
	spans := Find(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	from := 0
	for _, span := range spans {
		b.WriteString(s[from:span.From])
		b.WriteString(masked)
		from = span.To
	}
	b.WriteString(s[from:])
	return b.String()
}

// Secrets is [Mask] of a text whose URLs have lost what [URLs] takes out of them.
func Secrets(s string) string { return Mask(URLs(s)) }

// A finder reads a text once, from its beginning to its end. Every rule that finds a
// secret goes on behind it, and none looks further back than a name is long.
type finder struct {
	text  string
	spans []Span
	word  int // where the word ends that was looked at last, dots and dashes in it
	url   int // where the URL ends that was read last
}

// add adds a secret and returns where to go on.
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
	for i := 0; i < len(s); {
		switch kinds[s[i]] {
		case letter:
			i = f.token(i)
		case operator:
			if strings.HasPrefix(s[i:], "://") {
				i = f.address(i + len("://"))
			} else {
				i = f.assignment(i)
			}
		case '-':
			i = f.dash(i)
		case '@':
			i = f.at(i)
		case '\\':
			i += 2 // what is escaped begins no word
		default:
			i++
		}
	}
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
		}
	}
	return list
}()

func isAlnum(c byte) bool { return kinds[c] == letter }

// token looks at a word of letters and digits that begins at i, and returns where it
// ends.
func (f *finder) token(i int) int {
	s := f.text
	end := i
	for end < len(s) && isAlnum(s[end]) {
		end++
	}
	if f.word < end {
		f.word = end
		for f.word < len(s) && (isAlnum(s[f.word]) || s[f.word] == '.' || s[f.word] == '-' || s[f.word] == '~') {
			f.word++
		}
	}
	if end-i >= 2 || end < len(s) && (s[end] == '.' || s[end] == '-' || s[end] == '~') {
		if to := credential(s, i, f.word); to > i {
			return f.add(i, to)
		}
	}
	if n := end - i; n >= 5 && n <= 6 && s[i]|0x20 == 'b' && end < len(s) && s[end] == ' ' {
		if to := f.scheme(i, end); to > end {
			return to
		}
	}
	return end
}

// scheme finds what stands behind the name of a scheme of HTTP authentication, unless it
// is a word of a sentence.
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

// credentialEnd returns where a token68 (RFC 9110) ends that begins at i.
func credentialEnd(s string, i int) int {
	for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("-._~+/=", s[i]) >= 0) {
		i++
	}
	return i
}

// isProse reports whether a text is nothing but a word: letters, of which none but the
// first is upper case unless all are.
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

// dash looks at a dash: a private key in PEM, or a flag of a command.
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
