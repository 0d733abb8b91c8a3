package evidence

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

const (
	// maxSentence is how much of a text is read, in bytes. Chosen: an author says what
	// is wrong at the beginning.
	maxSentence = 4 << 10
	// maxQuotes and maxQuoted bound the quoted words, in number and bytes. Chosen: a
	// sentence has one or two.
	maxQuotes, maxQuoted = 16, 256
	// maxSentences bounds the sentences around an error. Chosen: an error is wrapped in
	// another text once or twice.
	maxSentences = 8
)

func head(text string) string { return text[:min(len(text), maxSentence)] }

// bySentence says whose fault an error is by what its author has said around it. Named
// says that the error names something, which is not in the arguments.
func (a *Arguments) bySentence(chain []error, named bool) (field string, fault classify.Fault) {
	document := isDocumentError(chain[len(chain)-1])
	for _, sentence := range sentencesOf(chain) {
		if l := a.argumentNamed(sentence); l != nil {
			return l.path(), classify.Callers
		}
		if named && !document {
			continue
		}
		if l := a.thing(sentence, named); l != nil {
			return l.path(), classify.Callers
		}
		named = named || len(quotes(sentence)) > 0 || strings.ContainsFunc(sentence, func(r rune) bool { return r == '/' || r == '\\' })
	}
	if named {
		return "", classify.Own
	}
	return "", classify.Unnamed
}

// isDocumentError reports whether an error is about a document, which is read from
// somewhere, and not about a file, host, program or value.
func isDocumentError(err error) bool {
	s := search{Arguments: new(Arguments), last: true}
	s.look(err)
	return s.document
}

// sentencesOf returns what each error around the last of a chain says beside the text
// of the one inside, beginning inside.
func sentencesOf(chain []error) (sentences []string) {
	inner := head(chain[len(chain)-1].Error())
	for i := len(chain) - 2; i >= 0 && len(sentences) < maxSentences; i-- {
		text := head(chain[i].Error())
		if own := strings.Replace(text, inner, "", 1); own != "" {
			sentences = append(sentences, own)
		}
		inner = text
	}
	return sentences
}

// argumentNamed returns the argument whose name stands in a sentence behind the word
// argument, or nil.
func (a *Arguments) argumentNamed(sentence string) *leaf {
	words := strings.FieldsFunc(sentence, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`:,;()", r) })
	for i, word := range words[:max(0, len(words)-1)] {
		switch strings.ToLower(word) {
		case "argument", "arg", "parameter", "param":
			for n := range a.names {
				if l := &a.names[n]; l.text == words[i+1] || l.path() == words[i+1] {
					return l
				}
			}
		}
	}
	return nil
}

// thing returns the argument that a sentence names: by a path or URL, or, if the error
// itself names nothing, by a quoted word or by one that does not stand anywhere by
// chance.
func (a *Arguments) thing(sentence string, named bool) *leaf {
	quoted := quotes(sentence)
	for i := range a.leaves {
		l := &a.leaves[i]
		if len(l.text) < 2 || len(l.text) > maxQuoted {
			continue
		}
		switch {
		case isPlace(l.text) && holds(sentence, l.text):
			return l
		case named:
		case len(l.text) >= shortText && isDistinct(l.text) && holds(sentence, l.text):
			return l
		case !l.number && slices.Contains(quoted, l.text):
			return l
		}
	}
	for i := range a.names {
		if !named && slices.Contains(quoted, a.names[i].text) {
			return &a.names[i]
		}
	}
	return nil
}

// isPlace reports whether a text is a path, a file's name or a URL.
func isPlace(text string) bool {
	ext := path.Ext(text)
	return len(text) >= shortText && !strings.ContainsFunc(text, unicode.IsSpace) &&
		(strings.ContainsAny(text, `/\`) || len(ext) > 2 && len(ext) < 7 && strings.Trim(ext, ".0123456789") != "")
}

// quotes returns what stands in quotes in a text.
func quotes(text string) (words []string) {
	for len(words) < maxQuotes {
		i := strings.IndexAny(text, "\"`'")
		if i < 0 {
			return words
		}
		apostrophe := text[i] == '\'' && i > 0 && isAlnum(rune(text[i-1])) // it's
		text = text[i:]
		word, length := quote(text)
		if apostrophe || length == 0 {
			text = text[1:]
			continue
		}
		if word != "" && len(word) <= maxQuoted {
			words = append(words, word)
		}
		text = text[length:]
	}
	return words
}

// quote returns what stands in the quotes that a text begins with, and their length, or
// 0 if they are not closed.
func quote(text string) (word string, length int) {
	if literal, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		word, _ = strconv.Unquote(literal) // as Go writes it
		return word, len(literal)
	}
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return "", 0
	}
	return text[1 : end+1], end + 2
}
