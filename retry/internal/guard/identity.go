package guard

import (
	"crypto/sha256"
	"encoding/json"
	"hash/maphash"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A callID identifies a call. It holds the server itself, so that its address is not reused.
type callID struct {
	server any // comparable
	hash   [sha256.Size]byte
}

// An Identity identifies a call for all guards that watch it. It is computed once, if one needs it.
type Identity struct {
	Server      any // its calls are not remembered if it is not comparable
	Params      *mcp.CallToolParams
	KeyArgument string

	id     callID // without a server until isKnown returns true
	key    string // the idempotency key in the arguments
	values values
}

// isKnown computes the identity. It returns false if the server is not comparable or the arguments cannot be encoded.
func (in *Identity) isKnown() bool {
	if in.id.server != nil {
		return true
	}
	if !reflect.ValueOf(in.Server).Comparable() || in.Server != in.Server { // one with a NaN never equals itself
		return false
	}
	arguments, err := jsonvalue.Recode(in.Params.Arguments)
	if err != nil {
		return false
	}
	object, _ := arguments.(map[string]any)
	in.key, _ = object[in.KeyArgument].(string)
	delete(object, in.KeyArgument)
	if arguments == nil {
		arguments = map[string]any{} // as the SDK sends them
	}
	same, err := jsonvalue.Canonical([]any{in.Params.Name, arguments, in.Params.InputResponses, in.Params.RequestState})
	if err != nil {
		return false
	}
	in.id = callID{server: in.Server, hash: sha256.Sum256(same)}
	in.values.add("", arguments, describing)
	if !slices.ContainsFunc(in.values[:], func(of []value) bool { return len(of) > 0 }) {
		in.values.add("", arguments, nil)
	}
	return true
}

// Values are the strings and numbers in a call's arguments, by their kinds.
type values [valueKinds][]value

// A value has the hashes of its argument's name and of itself.
type value struct{ name, same uint64 }

// maxValues is the maximum number of values of a kind. Models' calls have fewer.
const maxValues = 64

// describing are the last words of arguments that say how a thing is, and not which.
var describing = strings.Fields("type kind visibility status state priority severity currency region timezone " +
	"locale language country reason rank method format action mode unit quantity amount amounts total price count " +
	"limit page size guests seats floor role")

// add adds the values of an argument, and of those in it, in the order of their names, except of those with a word.
func (vs *values) add(name string, v any, except []string) {
	switch v := v.(type) {
	case map[string]any:
		names := slices.AppendSeq(make([]string, 0, len(v)), maps.Keys(v))
		slices.Sort(names)
		for _, name := range names {
			vs.add(name, v[name], except)
		}
	case []any:
		for _, item := range v {
			vs.add(name, item, except)
		}
	}
	last := strings.LastIndexFunc(name, func(r rune) bool { return r == '_' || unicode.IsUpper(r) })
	folded := spelling.Fold(name)
	word := folded[max(0, len(folded)-len(strings.TrimPrefix(name[max(last, 0):], "_"))):]
	same, kind := canonical(v)
	isOne := func(describes string) bool { return word == describes || folded == describes }
	if len(same) > 0 && len(vs[kind]) < maxValues && !slices.ContainsFunc(except, isOne) {
		vs[kind] = append(vs[kind], value{maphash.String(valueSeed, folded), maphash.Bytes(valueSeed, same)})
	}
}

// named returns the name, apart for dates: from and to are accounts, and in a look-up dates.
func (v value) named(kind int) value {
	if kind == dateValue {
		return value{v.name, 1}
	}
	return value{name: v.name}
}

// A look is what the values of a look-up are found by: their hashes, their names, and both.
type look struct {
	same         map[uint64]bool
	names, pairs map[value]bool
}

func (vs *values) look() look {
	l := look{map[uint64]bool{}, map[value]bool{}, map[value]bool{}}
	for kind, all := range vs {
		for _, v := range all {
			l.same[v.same], l.names[v.named(kind)], l.pairs[v] = true, true, true
		}
	}
	return l
}

// areIn reports whether a look-up is about the same thing as a call with the values: it has one of its ids or phrases;
// without ids, one of its words; or all its ids and words, or else all its dates, or all its numbers. Under a name of
// the call, it has not only other values, except of phrases, and of dates beside an id of the call.
func (vs *values) areIn(l look) bool {
	isIn := func(v value) bool { return l.same[v.same] }
	isMissing := func(v value) bool { return !isIn(v) }
	hasID, agreed := slices.ContainsFunc(vs[idValue], isIn), map[value]bool{}
	for kind, all := range vs {
		isCompared := kind != phraseValue && (kind != dateValue || !hasID)
		for _, v := range all {
			if name := v.named(kind); isCompared && l.names[name] {
				agreed[name] = agreed[name] || l.pairs[v]
			}
		}
	}
	for _, isSame := range agreed {
		if !isSame {
			return false
		}
	}
	named := slices.Concat(vs[idValue], vs[wordValue], vs[shortValue])
	for kind := dateValue; len(named)+len(vs[phraseValue]) == 0 && kind >= amountValue; kind-- {
		named = vs[kind]
	}
	return hasID || slices.ContainsFunc(vs[phraseValue], isIn) ||
		len(vs[idValue]) == 0 && slices.ContainsFunc(vs[wordValue], isIn) ||
		len(named) > 0 && !slices.ContainsFunc(named, isMissing)
}

var valueSeed = maphash.MakeSeed()

// The kinds of values, which say how well a value identifies a thing.
const (
	amountValue = iota // a small number
	dateValue          // a date, a time, or both
	shortValue         // EUR
	wordValue          // a text that may be one of a few choices: duplicate
	phraseValue        // a text with spaces, such as a title or a message
	idValue            // ORD-7, 48291, ann@example.com or src/main.go
	valueKinds         // the number of kinds
)

// With these minimum lengths, ORD-7, 48291 and ann@example.com are identifying, and 40, 1000, EUR, and duplicate
// are not.
const (
	minDigits = 5 // digits of an integer, not counting trailing zeros
	minText   = 4 // characters of a word, or of a string with a digit
	minOther  = 8 // characters of another string that is no word
)

// canonical returns the canonical form of a string or a [json.Number], or nil for any other value, and its kind. A
// number in a string counts as the number, and other JSON in one as another value.
func canonical(v any) (same []byte, kind int) {
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
		kind = idValue
	}
	return same, kind
}

// dates lists common layouts of dates and times.
var dates = []string{
	time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, "15:04", "2006-01", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04:05",
}

func kindOf(text string) int {
	isDate := func(layout string) bool { _, err := time.Parse(layout, text); return err == nil }
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' }
	n, hasDigit := utf8.RuneCountInString(text), strings.ContainsFunc(text, unicode.IsDigit)
	switch {
	case hasDigit && slices.ContainsFunc(dates, isDate):
		return dateValue
	case n < minText:
		return shortValue
	case strings.ContainsFunc(text, unicode.IsSpace):
		return phraseValue
	case hasDigit, n >= minOther && strings.ContainsFunc(text, isOther):
		return idValue
	}
	return wordValue
}
