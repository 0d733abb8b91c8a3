package evidence

import (
	"io/fs"
	"net/mail"
	"os/exec"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// inspectText searches for the names in the text of an error that has no other members.
// Some texts have a known form.
func (s *search) inspectText(err error) {
	if _, ok := err.(classify.Errno); ok || isNameless(err) { //nolint:errorlint // one link of the chain
		return
	}
	s.named = true
	if err == exec.ErrNotFound { //nolint:errorlint // the exact value
		return
	}
	text := head(err.Error())
	quoted := quotes(text)
	zone, isZone := strings.CutPrefix(text, "unknown time zone ")
	if isZone {
		s.find(zone, scoreText)
	}
	if fails := failsAs(text, quoted); fails != nil {
		s.parsed(fails)
	}
	s.document = s.document || len(quoted) == 0 && !isZone
	for _, word := range quoted {
		s.word(word)
	}
}

// failsAs returns a function that reports whether an argument fails with a text, or nil if
// the text has no known form.
func failsAs(text string, quoted []string) (fails func(*leaf) bool) {
	if length, ok := strings.CutPrefix(text, "invalid UUID length: "); ok {
		n, _ := strconv.Atoi(length)
		return func(l *leaf) bool { return len(l.text) == n && isIDLike(l) }
	}
	switch library, rest, _ := strings.Cut(text, ": "); {
	case text == "invalid UUID format":
		return func(l *leaf) bool { return len(l.text) >= 32 && len(l.text) <= 45 && isIDLike(l) }
	case text == "encoding/hex: odd length hex string":
		return func(l *leaf) bool { return len(l.text)%2 == 1 && strings.Trim(l.text, "0123456789abcdefABCDEF") == "" }
	case library == "mail":
		return func(l *leaf) bool { return failsMail(l, text) }
	case library == "template":
		return func(l *leaf) bool { return failsTemplate(l.text, rest, quoted) }
	case library == "yaml" || library == "toml":
		return func(l *leaf) bool { return isDocument(l, library) && hasLine(l.text, after(rest, "line ")) }
	case library == "tls" || library == "x509" || library == "ssh":
		return func(l *leaf) bool { return mentions(l.name(), "cert", "pem", "key") }
	}
	return nil
}

// failsTemplate reports whether an argument is a template that has the line and the words
// in an error, except for the template's name.
func failsTemplate(text, rest string, quoted []string) bool {
	name, _, _ := strings.Cut(rest, ":")
	for _, word := range quoted {
		if word != name && !strings.Contains(text, word) {
			return false
		}
	}
	return strings.Contains(text, "{{") && hasLine(text, strings.TrimPrefix(rest, name))
}

// isNameless reports whether an error is a fixed value without a name.
func isNameless(err error) bool {
	switch err {
	case fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, strconv.ErrSyntax, strconv.ErrRange: //nolint:errorlint // one link of the chain
		return true
	}
	return err.Error() == "EvalSymlinks: too many links" // of path/filepath, which has no exported value for it
}

// word searches for a quoted word: as a value, as the name of a member, or as the name of a
// member in an argument that is JSON text.
func (s *search) word(word string) {
	cut, isCut := strings.CutSuffix(word, "...") // yaml shortens values in this way
	s.find(word, func(l *leaf, word string) int {
		switch score := scoreText(l, word); {
		case score != noMatch:
			return score
		case isCut && len(cut) >= shortText && strings.HasPrefix(l.text, cut):
			return joined
		case !l.number && strings.HasPrefix(l.text, "{") && strings.Contains(l.text[:min(len(l.text), maxText)], strconv.Quote(word)):
			return similar
		}
		return noMatch
	})
	for i := range s.names {
		if s.score < joined && s.names[i].text == word {
			s.found, s.score = &s.names[i], joined
		}
	}
}

// isIDLike reports whether an argument is an identifier according to its name or its
// characters.
func isIDLike(l *leaf) bool {
	return mentions(l.name(), "id", "uuid", "key", "ref") || strings.Trim(l.text, "0123456789abcdefABCDEF-{}") == ""
}

// failsMail reports whether an argument is a mail address, according to its name or an @,
// and fails to parse with the same error.
func failsMail(l *leaf, text string) bool {
	switch name := strings.ToLower(l.name()); {
	case strings.ContainsRune(l.text, '@'), mentions(name, "mail", "address", "recipient", "sender"):
	case name != "to" && name != "from" && name != "cc" && name != "bcc":
		return false
	}
	_, err := mail.ParseAddress(l.text)
	_, listErr := mail.ParseAddressList(l.text)
	return err != nil && err.Error() == text || listErr != nil && listErr.Error() == text
}

// isDocument reports whether an argument is a document in a format, according to its name
// or its lines.
func isDocument(l *leaf, format string) bool {
	separator := ":"
	if format == "toml" {
		separator = " ="
	}
	return mentions(l.name(), format, "yml", "manifest") || strings.Contains(l.text, separator+" ") || strings.Contains(l.text, separator+"\n")
}

// hasLine reports whether a text has a line with the first number after a space or a colon
// in where. Without a number, the error is in the first line.
func hasLine(text, where string) bool {
	for part := range strings.FieldsFuncSeq(where, func(r rune) bool { return r == ':' || r == ' ' }) {
		if n, err := strconv.Atoi(part); err == nil {
			return n <= strings.Count(text, "\n")+1
		}
	}
	return true
}

// after returns the text after the first mark.
func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}
