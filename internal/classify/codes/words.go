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
	b := make([]byte, 0, MaxCode) // stays on the stack
	for i := range len(text) {
		c := text[i]
		switch {
		case IsUpper(c):
			b = append(b, c+'a'-'A')
		case IsAlnum(c):
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

// FromKnown classifies a known code. It may have spaces.
func FromKnown(code string) class.Class { return in("word", Fold(code)) }

// FromToken classifies a known code of two or more words without spaces, or one whose words are, if
// it is in capitals. Any other text may be something else if nothing shows that it is a code.
func FromToken(text string) class.Class {
	words := stems(text)
	if len(words) < 2 || strings.ContainsAny(text, " :/") {
		return class.Unknown
	}
	c := FromKnown(text)
	if strings.Contains(text, "_") && text == strings.ToUpper(text) {
		c = cmp.Or(c, byStems(words))
	}
	return c
}

// FromWord classifies a code. An unknown code is classified by its parts, unless it contains a
// space: then it is prose.
func FromWord(code string) class.Class {
	folded := Fold(code)
	if c := in("word", folded); c != class.Unknown || strings.Contains(code, " ") {
		return c
	}
	code = code[:min(len(code), MaxCode)]
	dot := strings.LastIndexByte(code, '.') // Neo4j and AWS put a qualifier before the dot, Alibaba and Tencent behind it
	before, last := code[:max(dot, 0)], code[dot+1:]
	for part := range strings.SplitSeq(before, ".") {
		switch c := FromKnown(part); {
		case !c.IsThrottle():
		case slices.ContainsFunc(stems(last), plans.Has):
			return class.Limit
		default:
			return c // whose limit it is, is behind it
		}
	}
	end := folded
	if dot >= 0 {
		end = Fold(last)
	}
	if c := cmp.Or(first("qualified", code, like), in("word", end)); c != class.Unknown {
		return c
	}
	stemmed := byStems(stems(code))
	if !stemmed.IsVague() {
		return stemmed
	}
	if c := first("part", end, like); c != class.Unknown {
		return c
	}
	for _, c := range []class.Class{FromKnown(before), first("part", folded, like)} {
		if c == class.Throttled || c != class.Unknown && !c.Retryable() {
			return c
		}
	}
	return stemmed
}

// FromTypeName classifies the name of a type: as a known code, by its words, or by an ending.
func FromTypeName(typeName string) class.Class {
	name := Fold(typeName)
	c := in("word", name)
	if c == class.Unknown || vagueNames.Has(name) {
		if c = byTypeName(stems(typeName)); c.IsVague() {
			c = cmp.Or(first("name", name, like), c)
		}
	}
	switch {
	case c == class.Invalid && parserNames.Has(name):
		return class.Unparsed
	case c == class.NotFound && (strings.Contains(name, "file") || strings.Contains(name, "config")):
		return class.NoFile
	}
	return c
}

// byTypeName classifies by the words of a type's name. Problems with files, configuration, replies
// and parsing are the tool's own. A missing thing is the caller's fault only if it is part of a
// call. Only credentials' expiry is classified: others may have happened during the call.
func byTypeName(words []string) class.Class {
	c := byStems(words)
	if slices.ContainsFunc(words, ownTrouble.Has) || c == class.Missing && !slices.ContainsFunc(words, callParts.Has) ||
		c == class.Precondition && slices.Contains(words, "expired") {
		return class.Unknown
	}
	return c
}

const (
	plans       List = "plans"
	vagueNames  List = "vagueNames"
	parserNames List = "parserNames"
	ownTrouble  List = "ownTrouble"
	callParts   List = "callParts"
	errorWords  List = "errorWords"
)

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
