// Package codes classifies error codes: words, numbers, SQLSTATEs, HTTP statuses with their
// headers, and the texts of sentinels.
package codes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// MaxCode is the maximum number of bytes read from a code or name. Codes have about thirty.
const MaxCode = 128

// Fold returns a code or a type's name in lower case, without separators and without words that
// mean error at its ends.
func Fold(text string) string {
	text = text[:min(len(text), MaxCode)]
	text = strings.TrimPrefix(strings.TrimPrefix(text, "E_"), "ER_")
	b := make([]byte, 0, MaxCode) // stays on the stack
	for i := range len(text) {
		if c := text[i]; IsAlnum(c) {
			b = append(b, c|0x20) // in lower case; digits have the bit
		}
	}
	s := string(b)
	for _, suffix := range []string{"exception", "errors", "error", "err", "fault"} {
		if rest, ok := strings.CutSuffix(s, suffix); ok && rest != "" {
			s = rest
		}
	}
	return strings.TrimPrefix(strings.TrimPrefix(s, "error"), "err")
}

// FromKnown classifies a known code. It may have spaces.
func FromKnown(code string) class.Class { return in("word", Fold(code)) }

// FromWord classifies a code. An unknown code is classified by its parts, unless it contains a
// space: then it is prose.
func FromWord(code string) class.Class {
	if c := FromKnown(code); c != class.Unknown || strings.Contains(code, " ") {
		return c
	}
	code = code[:min(len(code), MaxCode)]
	if c := first("qualified", code); c != class.Unknown {
		return c
	}
	// Neo4j, AWS, Azure and Firebase put a qualifier before the last part, Alibaba and Tencent behind the first.
	end := strings.LastIndexAny(code, separators) + 1
	folded, stemmed := Fold(code[end:]), byStems(stems(code[end:]))
	c, qualifier := in("word", folded), class.Unknown
	if c == class.Unknown && stemmed.IsVague() {
		c = first("part", folded)
	}
	c = cmp.Or(c, stemmed)
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	for part := range strings.FieldsFuncSeq(code[:end], isSeparator) {
		q := cmp.Or(FromKnown(part), first("part", Fold(part)))
		if q.IsThrottle() {
			c, qualifier = q, class.Unknown // whose limit it is, is behind it
			break
		}
		isNamespace := q != class.Invalid && List("vagueNames").Has(Fold(part)) // as in auth/timeout
		if qualifier.IsVague() && !q.Retryable() && !isNamespace {
			qualifier = cmp.Or(q, qualifier)
		}
	}
	if c.IsThrottle() && slices.ContainsFunc(stems(code), List("plans").Has) {
		return class.Limit
	}
	if qualifier != class.Unknown && (c.Retryable() || c.IsVague()) && qualifier != class.Internal {
		return qualifier // a repeat does not help, whatever the other part says
	}
	return cmp.Or(c, qualifier, byStems(stems(code)))
}

// separators stand between a code and its qualifiers.
const separators = `.:/#\`

// FromTypeName classifies the name of a type: as a known code, by its words, or by an ending. By their words,
// problems with files, configuration, replies and parsing are the tool's own. A missing thing is the caller's fault
// only if it is part of a call. Only credentials' expiry is classified: others may have happened during the call.
func FromTypeName(typeName string) class.Class {
	name := Fold(typeName)
	c := in("word", name)
	if c == class.Unknown || List("vagueNames").Has(name) {
		words := stems(typeName)
		c = byStems(words)
		if slices.ContainsFunc(words, List("ownTrouble").Has) ||
			c == class.Missing && !slices.ContainsFunc(words, List("callParts").Has) ||
			c == class.Precondition && slices.Contains(words, "expired") {
			c = class.Unknown
		}
		if c.IsVague() {
			c = cmp.Or(first("name", name), c)
		}
	}
	switch {
	case c == class.Invalid && List("parserNames").Has(name):
		return class.Unparsed
	case c == class.NotFound && (strings.Contains(name, "file") || strings.Contains(name, "config")):
		return class.NoFile
	}
	return c
}

// A Reader reads an error's code words until the class is clear. The zero Reader is ready to use.
type Reader struct {
	Class   class.Class
	HasWord bool // the error has a code word
}

// Read adds a code word.
func (r *Reader) Read(word string) {
	if word != "" && r.Class.IsVague() {
		r.ReadClass(FromWord(word))
	}
}

// ReadClass adds the class of a code word.
func (r *Reader) ReadClass(c class.Class) {
	r.HasWord = true
	if c != class.Unknown && (r.Class == class.Unknown || r.Class.IsVague() && !c.IsVague()) {
		r.Class = c
	}
}

// stems returns the words of a code or a Go name in lower case and in the singular, without words
// that mean error, such as quota and exceeded for QuotasExceededError.
func stems(name string) (words []string) {
	name = name[:min(len(name), MaxCode)]
	for start := 0; start < len(name); {
		end := start + 1
		if IsAlnum(name[start]) {
			for end < len(name) && IsAlnum(name[end]) && !startsWord(name, end) {
				end++
			}
			word := strings.ToLower(name[start:end])
			if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i' {
				word = word[:n-1] // a plural
			}
			if !List("errorWords").Has(word) {
				words = append(words, word)
			}
		}
		start = end
	}
	return words
}

// startsWord reports whether a word of a camel-case name starts at i: an upper-case letter that
// does not follow another one or precedes a lower-case one.
func startsWord(name string, i int) bool {
	return IsUpper(name[i]) && (!IsUpper(name[i-1]) || i+1 < len(name) && name[i+1] >= 'a')
}

// IsUpper reports whether c is an ASCII upper-case letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool {
	return IsUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

// byStems classifies two or more words of a code. The longest sequence of them that is a known code,
// perhaps in the plural, counts first: it allows a retry only for a rate limit, and not for a plan's,
// which no short wait lifts. Then the rows of the table stem count.
func byStems(words []string) class.Class {
	for n := min(len(words), maxRun); n > 1; n-- {
		for i := range len(words) - n + 1 {
			run := strings.Join(words[i:i+n], "")
			switch c := cmp.Or(in("word", run), in("word", run+"s")); {
			case c.IsVague() || c.Retryable() && c != class.Throttled:
			case c == class.Throttled && slices.ContainsFunc(words, List("plans").Has):
				return class.Limit
			default:
				return c
			}
		}
	}
	isWord := func(word string) bool { return slices.Contains(words, word) }
	for _, row := range all().tables["stem"].rows {
		if len(words) > 1 && slices.ContainsFunc(row.codes, isWord) &&
			(len(row.beside) == 0 || slices.ContainsFunc(row.beside, isWord)) {
			return row.class
		}
	}
	return class.Unknown
}
