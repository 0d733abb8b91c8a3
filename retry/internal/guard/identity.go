package guard

import (
	"crypto/sha256"
	"encoding/json"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A callID identifies a call. It holds the server itself, so that its address is not reused.
type callID struct {
	server any // comparable
	call   string
}

// An identity is what a guard knows about a call before it is made.
type identity struct {
	id     callID
	key    string   // the idempotency key in the arguments
	values []uint64 // hashes of the identifying values in the arguments
}

// identify sets the identity of a call: the server, the tool, the arguments without the idempotency
// key, and the answers to the server's questions. It returns false if the server is not comparable
// or the arguments cannot be encoded.
func (in *identity) identify(server any, params *mcp.CallToolParams, keyArgument string) bool {
	if !reflect.ValueOf(server).Comparable() || server != server { // one with a NaN never equals itself
		return false
	}
	arguments, err := jsonvalue.Recode(params.Arguments)
	if err != nil {
		return false
	}
	switch object := arguments.(type) {
	case nil:
		arguments = map[string]any{} // as the SDK sends them
	case map[string]any:
		in.key, _ = object[keyArgument].(string)
		delete(object, keyArgument)
	}
	same, err := jsonvalue.Canonical([]any{params.Name, arguments, params.InputResponses, params.RequestState})
	sum := sha256.Sum256(same)
	in.id = callID{server: server, call: string(sum[:])}
	in.values = appendValues(nil, arguments)
	return err == nil
}

// maxValues is the maximum number of identifying values of a call. Models' calls have fewer.
const maxValues = 64

// appendValues appends the hashes of the identifying values in v.
func appendValues(values []uint64, v any) []uint64 {
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			values = appendValues(values, item)
		}
	case []any:
		for _, item := range v {
			values = appendValues(values, item)
		}
	case string:
		text := strings.TrimSpace(v)
		if jsonvalue.Valid([]byte(text)) {
			return appendValues(values, json.Number(text)) // a number in a string, or other JSON
		}
		if len(values) < maxValues && identifies(text) {
			values = append(values, maphash.String(valueSeed, text))
		}
	case json.Number:
		if same, err := jsonvalue.Canonical(v); err == nil && isNumeral(same) && len(values) < maxValues {
			values = append(values, maphash.Bytes(valueSeed, same))
		}
	}
	return values
}

var valueSeed = maphash.MakeSeed()

// With these minimum lengths of an identifying value, ORD-7, 48291 and ann@example.com are
// identifying, and 40, 1000, EUR, duplicate and 2026-07-31 are not.
const (
	minDigits   = 5 // digits of an integer, not counting trailing zeros
	minNumbered = 4 // characters of a string with a digit
	minText     = 8 // characters of any other string
)

// isNumeral reports whether a number in canonical form is identifying: an integer of at least
// minDigits digits is unlikely to be an amount or a limit.
func isNumeral(number []byte) bool {
	digits, exponent, _ := strings.Cut(strings.TrimPrefix(string(number), "-"), "e")
	return len(digits) >= minDigits && !strings.HasPrefix(exponent, "-")
}

// dates lists common layouts of dates and times.
var dates = []string{time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, "15:04", "2006-01"}

func isDate(text string) bool {
	return text != "" && '0' <= text[0] && text[0] <= '9' && slices.ContainsFunc(dates, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

// identifies reports whether a string is identifying. Words of letters and underscores are not,
// because most of them name one of a few choices. Neither are dates and times.
func identifies(text string) bool {
	if isDate(text) {
		return false
	}
	isLetter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || r == '_' }
	n := utf8.RuneCountInString(text)
	switch {
	case strings.ContainsFunc(text, unicode.IsDigit):
		return n >= minNumbered
	case strings.ContainsFunc(text, func(r rune) bool { return !isLetter(r) }):
		return n >= minText
	}
	return false
}
