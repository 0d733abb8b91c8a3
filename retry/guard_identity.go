package retry

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

// A callID tells calls apart. It holds the server itself: another one may come to
// have the address of a server that is gone, but not while it is held.
type callID struct {
	server any // comparable
	call   string
}

// An identity is what a guard knows of a call before it is made.
type identity struct {
	id     callID   // zero for a server or arguments that cannot be compared
	key    string   // the idempotency key that the arguments hold
	values []uint64 // those of the arguments that identify something
}

// identify returns the identity of a call: the server, the tool, its arguments without
// the idempotency key, and the rest of what the call is given.
func identify(server any, params *mcp.CallToolParams, keyArgument string) identity {
	if !reflect.ValueOf(server).Comparable() || server != server { // a server that holds a NaN is never found again
		return identity{}
	}
	arguments, err := jsonvalue.Recode(params.Arguments)
	if err != nil {
		return identity{}
	}
	var in identity
	switch object := arguments.(type) {
	case nil:
		arguments = map[string]any{} // as it is sent
	case map[string]any:
		in.key, _ = object[keyArgument].(string)
		delete(object, keyArgument)
	}
	var responses any
	if params.InputResponses != nil {
		responses = params.InputResponses
	}
	same, err := jsonvalue.Canonical([]any{params.Name, arguments, responses, params.RequestState})
	if err != nil {
		return identity{}
	}
	sum := sha256.Sum256(same)
	in.id = callID{server: server, call: string(sum[:])}
	in.values = appendValues(nil, arguments)
	return in
}

// maxValues is how many values of a call's arguments are remembered. Chosen: more than
// a call of a model has.
const maxValues = 64

// appendValues appends the hashes of the values in v that identify something.
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
		if mayBeJSON(text) && json.Valid([]byte(text)) {
			return appendValues(values, json.Number(text)) // a number that is sent as a text, or a word of JSON
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

// The least that identifies one thing among many. Chosen, so that ORD-7, 48291 and
// ann@example.com do, and 40, 1000, EUR, duplicate and 2026-07-31 do not.
const (
	minDigits   = 5 // of an integer, without the zeros at its end
	minNumbered = 4 // characters of a text with a digit
	minText     = 8 // characters of any other
)

// isNumeral reports whether a number, in its canonical form, identifies something: an
// integer of so many digits is no amount and no limit.
func isNumeral(number []byte) bool {
	digits, exponent, _ := strings.Cut(strings.TrimPrefix(string(number), "-"), "e")
	return len(digits) >= minDigits && !strings.HasPrefix(exponent, "-")
}

// mayBeJSON reports whether text begins as JSON does.
func mayBeJSON(text string) bool {
	return text != "" && strings.IndexByte(`-0123456789"{[tfn`, text[0]) >= 0
}

// dates are how dates and times are written. They have a hyphen as their fifth character,
// or a colon as their second or third.
var dates = []string{time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, "15:04", "2006-01"}

func isDate(text string) bool {
	if len(text) < 4 || text[1] != ':' && text[2] != ':' && (len(text) == 4 || text[4] != '-') {
		return false // without an error for each layout
	}
	return slices.ContainsFunc(dates, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

// identifies reports whether a text identifies something. Words of letters and
// underscores do not, since they are mostly choices, nor do dates and times.
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
