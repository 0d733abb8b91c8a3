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

// The kinds, from amounts and dates.
const (
	Other  Kind = iota
	Word        // a text, such as a name: Ann, duplicate
	Number      // a text with a digit or a long integer, such as ORD-7 and 48291
)

// With these minimum lengths, 40, 1000, EUR and 2026-07-31 are neither words nor numbers.
const (
	minDigits = 5 // digits of an integer, not counting trailing zeros
	minText   = 4 // characters of a text
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
		kind = Number
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
	hasDigit := strings.ContainsFunc(text, unicode.IsDigit)
	switch {
	case utf8.RuneCountInString(text) < minText, hasDigit && slices.ContainsFunc(dates, isDate):
		return Other
	case hasDigit:
		return Number
	}
	return Word
}
