// Package identifier tells values that identify a thing, such as a number of an order, from amounts,
// choices and dates.
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

// With these minimum lengths of an identifying value, ORD-7, 48291 and ann@example.com are
// identifying, and 40, 1000, EUR, duplicate and 2026-07-31 are not.
const (
	minDigits   = 5 // digits of an integer, not counting trailing zeros
	minNumbered = 4 // characters of a string with a digit
	minText     = 8 // characters of any other string
)

// Of returns the canonical form of a string or a [json.Number], or nil for any other value, and reports
// whether it identifies a thing. A number in a string counts as the number, and other JSON in one as
// another value.
func Of(v any) (same []byte, identifies bool) {
	if text, ok := v.(string); ok {
		text = strings.TrimSpace(text)
		if same = []byte(text); !jsonvalue.Valid(same) {
			return same, isText(text)
		}
		v, same = json.Number(text), nil
	}
	if _, ok := v.(json.Number); ok {
		same, _ = jsonvalue.Canonical(v)
	}
	return same, isNumber(string(same))
}

// isNumber reports whether a number in canonical form is identifying: an integer of at least
// minDigits digits is unlikely to be an amount or a limit.
func isNumber(number string) bool {
	digits, exponent, _ := strings.Cut(strings.TrimPrefix(number, "-"), "e")
	return len(digits) >= minDigits && !strings.HasPrefix(exponent, "-")
}

// dates lists common layouts of dates and times.
var dates = []string{
	time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, "15:04", "2006-01", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04:05",
}

// IsDate reports whether a text is a date, a time, or both.
func IsDate(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && '0' <= text[0] && text[0] <= '9' && slices.ContainsFunc(dates, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

// isText reports whether a string is identifying. Words of letters and underscores are not,
// because most of them name one of a few choices. Neither are dates and times.
func isText(text string) bool {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' }
	n := utf8.RuneCountInString(text)
	return !IsDate(text) && (n >= minNumbered && strings.ContainsFunc(text, unicode.IsDigit) ||
		n >= minText && strings.ContainsFunc(text, isOther))
}
