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
	// maxSentence is how many bytes of a text are read. Chosen: authors state the problem
	// at the beginning.
	maxSentence = 4 << 10
	// maxQuotes and maxQuoted are how many quoted words are read, and how many bytes each
	// may have. Chosen: a sentence has one or two.
	maxQuotes, maxQuoted = 16, 256
	// maxSentences is how many texts around an error are read. Chosen: an error is wrapped
	// in another text once or twice.
	maxSentences = 8
)

func head(text string) string { return text[:min(len(text), maxSentence)] }

// bySentence returns whose fault an error is according to its author's text. If named is
// set, the error has a name that is not among the arguments.
func (a *Arguments) bySentence(chain []error, named bool) (field string, fault classify.Fault) {
	document := isDocumentError(chain[len(chain)-1])
	for _, sentence := range sentencesOf(chain) {
		if l := a.argumentNamed(sentence); l != nil {
			return l.path(), classify.Callers
		}
		if named && !document {
			continue
		}
		if l := a.argumentIn(sentence, named); l != nil {
			return l.path(), classify.Callers
		}
		named = named || len(quotes(sentence)) > 0 || strings.ContainsFunc(sentence, func(r rune) bool { return r == '/' || r == '\\' })
	}
	if named {
		return "", classify.Own
	}
	return "", classify.Unnamed
}

// isDocumentError reports whether an error is about a document that was read, and not about
// a file, host, program or value.
func isDocumentError(err error) bool {
	s := search{Arguments: new(Arguments), last: true}
	s.inspect(err)
	return s.document
}

// sentencesOf returns the text that each error of a chain adds to the error inside it,
// beginning with the innermost.
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

// argumentNamed returns the argument whose name follows the word argument in a sentence, or
// nil.
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

// argumentIn returns the argument whose value is in a sentence: a path or URL. If the error
// itself has no name, the value may also be a quoted word or a distinctive one.
func (a *Arguments) argumentIn(sentence string, named bool) *leaf {
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

// isPlace reports whether a text is a path, a file name or a URL.
func isPlace(text string) bool {
	ext := path.Ext(text)
	return len(text) >= shortText && !strings.ContainsFunc(text, unicode.IsSpace) &&
		(strings.ContainsAny(text, `/\`) || len(ext) > 2 && len(ext) < 7 && strings.Trim(ext, ".0123456789") != "")
}

// quotes returns the quoted words of a text.
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

// quote returns the word in the quotes at the beginning of a text and the length of both,
// or 0 if the quotes are not closed.
func quote(text string) (word string, length int) {
	if literal, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		word, _ = strconv.Unquote(literal) // quoted by Go
		return word, len(literal)
	}
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return "", 0
	}
	return text[1 : end+1], end + 2
}
