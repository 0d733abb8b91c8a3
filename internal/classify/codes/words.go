// Package codes classifies error codes: words, numbers, SQLSTATEs, HTTP statuses with their
// headers, and the texts of sentinels.
package codes

import (
	"cmp"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Fold returns a code or a type's name in lower case, without separators and without words that
// mean error at its ends.
func Fold(text string) string {
	text = text[:min(len(text), MaxCode)]
	b := make([]byte, 0, MaxCode) // stays on the stack
	for i := range len(text) {
		c := text[i]
		switch {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b = append(b, c)
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

// words are the classes of folded codes.
func words() map[string]class.Class { return byName()["word"].classes }

// FromKnown classifies a known code. It may have spaces.
func FromKnown(code string) class.Class { return words()[Fold(code)] }

// FromToken classifies a known code of two or more words without spaces, or one whose words are, if
// it is in capitals. Any other text may be something else if nothing shows that it is a code.
func FromToken(text string) class.Class {
	c := FromKnown(text)
	if strings.Contains(text, "_") && text == strings.ToUpper(text) {
		c = cmp.Or(c, byStems(stems(text)))
	}
	if c != class.Unknown && (strings.ContainsAny(text, " :/") || len(stems(text)) < 2) {
		return class.Unknown
	}
	return c
}

// FromWord classifies a code. An unknown code is classified by its parts, unless it contains a
// space: then it is prose.
func FromWord(code string) class.Class {
	w := Fold(code)
	if c, ok := words()[w]; ok || strings.Contains(code, " ") {
		return c
	}
	code = code[:min(len(code), MaxCode)]
	dot := strings.LastIndexByte(code, '.') // Neo4j and AWS put a qualifier before the dot, Alibaba and Tencent behind it
	before, last := code[:max(dot, 0)], w
	if dot >= 0 {
		last = Fold(code[dot+1:])
	}
	for part := range strings.SplitSeq(before, ".") {
		switch c := words()[Fold(part)]; {
		case !c.IsThrottle():
		case listed("plans", stems(code[dot+1:])...):
			return class.Limit
		default:
			return c // whose limit it is, is behind it
		}
	}
	if neo, ok := strings.CutPrefix(code, "Neo."); ok {
		switch {
		case strings.HasPrefix(neo, "TransientError.") && last != "terminated":
			return class.Unavailable
		case strings.HasPrefix(neo, "ClientError.Security.") && !strings.HasSuffix(last, "limit"):
			return class.Internal // the login is the server's own
		}
	}
	if c, ok := words()[last]; ok {
		return c
	}
	if strings.HasPrefix(last, "invalid") && strings.HasSuffix(last, "state") {
		return class.Precondition
	}
	stemmed := byStems(stems(code))
	if !stemmed.IsVague() {
		return stemmed
	}
	if c := byPart(last, "part"); c != class.Unknown {
		return c
	}
	if dot >= 0 {
		for _, c := range []class.Class{words()[Fold(before)], byPart(w, "part")} {
			if c == class.Throttled || c != class.Unknown && !c.Retryable() {
				return c
			}
		}
	}
	return stemmed
}

// byPart returns the class of the table's first row with a matching pattern.
func byPart(word, table string) class.Class {
	return first(table, func(pattern string) bool {
		end, isEnd := strings.CutPrefix(pattern, "*")
		system, isSystem := strings.CutPrefix(pattern, "@")
		return isEnd && strings.HasSuffix(word, end) || isSystem && ofSystem(word, system) ||
			strings.HasPrefix(word, strings.TrimSuffix(pattern, "*"))
	})
}

// ofSystem reports whether a word ends in text and contains the name of a system before that. A
// product can be unavailable, and a session can time out, in another sense.
func ofSystem(word, text string) bool {
	rest, ok := strings.CutSuffix(word, text)
	return ok && first("systems", func(system string) bool { return strings.Contains(rest, system) }) != class.Unknown
}

// FromTypeName classifies the name of a type: as a known code, by its words, or by an ending.
func FromTypeName(typeName string) class.Class {
	name := Fold(typeName)
	c, ok := words()[name]
	if !ok || listed("vagueNames", name) {
		if c = byTypeName(typeName); c.IsVague() {
			if end := byPart(name, "name"); end != class.Unknown {
				c = end
			}
		}
	}
	switch {
	case c == class.Invalid && listed("parserNames", name):
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

// Read adds a code word, and reports whether the class is clear.
func (r *Reader) Read(word string) bool {
	return word != "" && r.ReadClass(FromWord(word))
}

// ReadClass adds the class of a code word, and reports whether the class is clear.
func (r *Reader) ReadClass(c class.Class) bool {
	r.HasWord = true
	if c != class.Unknown && (r.Class == class.Unknown || r.Class.IsVague() && !c.IsVague()) {
		r.Class = c
	}
	return !r.Class.IsVague()
}

// Override sets the class to c, if known, regardless of earlier words, and reports whether it did.
func (r *Reader) Override(c class.Class) bool {
	if c != class.Unknown {
		r.Class = c
	}
	return c != class.Unknown
}
