// Package identifier tells values that identify a thing, such as a number of an order, from words, amounts and dates.
package identifier

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A Kind says how well a value identifies a thing.
type Kind int

// The kinds of values.
const (
	Amount Kind = iota // a small number
	Date               // a date, a time, or both
	Short              // EUR
	Word               // a text that may be one of a few choices: duplicate
	Phrase             // a text with spaces, such as a title or a message
	ID                 // ORD-7, 48291, ann@example.com or src/main.go
	Kinds              // the number of kinds
)

// With these minimum lengths, ORD-7, 48291 and ann@example.com are identifying, and 40, 1000, EUR, and duplicate
// are not.
const (
	minDigits = 5 // digits of an integer, not counting trailing zeros
	minText   = 4 // characters of a word, or of a string with a digit
	minOther  = 8 // characters of another string that is no word
)

// Of returns the canonical form of a string or a [json.Number], or nil for any other value, and its kind. A number in
// a string counts as the number, and other JSON in one as another value.
func Of(v any) (same []byte, kind Kind) {
	if text, ok := v.(string); ok {
		text = strings.TrimSpace(text)
		if same = []byte(text); !jsonvalue.Valid(same) {
			return same, kindOf(text)
		}
		v, same = json.Number(text), nil
	}
	if _, ok := v.(json.Number); ok {
		same, _ = jsonvalue.Canonical(v)
	}
	// an integer of at least minDigits digits is unlikely to be an amount or a limit
	digits, exponent, _ := strings.Cut(strings.TrimPrefix(string(same), "-"), "e")
	if len(digits) >= minDigits && !strings.HasPrefix(exponent, "-") {
		kind = ID
	}
	return same, kind
}

// dates lists common layouts of dates and times.
var dates = []string{
	time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, "15:04", "2006-01", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04:05",
}

func kindOf(text string) Kind {
	isDate := func(layout string) bool { _, err := time.Parse(layout, text); return err == nil }
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' }
	n, hasDigit := utf8.RuneCountInString(text), strings.ContainsFunc(text, unicode.IsDigit)
	switch {
	case hasDigit && slices.ContainsFunc(dates, isDate):
		return Date
	case n < minText:
		return Short
	case strings.ContainsFunc(text, unicode.IsSpace):
		return Phrase
	case hasDigit, n >= minOther && strings.ContainsFunc(text, isOther):
		return ID
	}
	return Word
}
