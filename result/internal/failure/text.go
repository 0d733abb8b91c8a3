package failure

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A textError is an error with another text, or with what [Text] returns.
type textError struct {
	error

	text string
}

func (k *textError) Error() string { return k.text }
func (k *textError) Unwrap() error { return k.error }

// WithText returns an error with its text by [Text], for the log.
func WithText(err error) error { return &textError{err, Text(err)} }

// isTextOf reports whether a text equals an error's or, up to 16 KiB, differs only in digits and
// order, as if the error prints a map or the time.
func isTextOf(text, errText string) bool {
	sorted := func(s string) []rune {
		return slices.Sorted(slices.Values(slices.DeleteFunc([]rune(s), unicode.IsDigit)))
	}
	return text == errText || max(len(text), len(errText)) <= 16<<10 && slices.Equal(sorted(text), sorted(errText))
}

// Text returns err.Error(), or "" if it panics. For a join built in a loop, it takes linear time.
func Text(err error) (text string) {
	defer func() { _ = recover() }()
	return strings.Join(appendTexts(make([]string, 0, 1), err), "\n") // one stays on the stack
}

// appendTexts appends the text of an error or, of a join, those of its branches.
func appendTexts(texts []string, err error) []string {
	if reflect.TypeOf(err) != joinType {
		return append(texts, err.Error())
	}
	join := err.(interface{ Unwrap() []error }) //nolint:errcheck,forcetypeassert // of this very type
	for _, branch := range join.Unwrap() {
		texts = appendTexts(texts, branch)
	}
	return texts
}

var joinType = reflect.TypeOf(errors.Join(errors.ErrUnsupported))
