package guard

import (
	"crypto/sha256"
	"hash/maphash"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/identifier"
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
type values [identifier.Kinds][]value

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
	same, kind := identifier.Of(v)
	isOne := func(describes string) bool { return word == describes || folded == describes }
	if len(same) > 0 && len(vs[kind]) < maxValues && !slices.ContainsFunc(except, isOne) {
		vs[kind] = append(vs[kind], value{maphash.String(valueSeed, folded), maphash.Bytes(valueSeed, same)})
	}
}

// named returns the name, apart for dates: from and to are accounts, and in a look-up dates.
func (v value) named(kind int) value {
	if kind == int(identifier.Date) {
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
	hasID, agreed := slices.ContainsFunc(vs[identifier.ID], isIn), map[value]bool{}
	for kind, all := range vs {
		isCompared := kind != int(identifier.Phrase) && (kind != int(identifier.Date) || !hasID)
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
	named := slices.Concat(vs[identifier.ID], vs[identifier.Word], vs[identifier.Short])
	for kind := identifier.Date; len(named)+len(vs[identifier.Phrase]) == 0 && kind >= identifier.Amount; kind-- {
		named = vs[kind]
	}
	return hasID || slices.ContainsFunc(vs[identifier.Phrase], isIn) ||
		len(vs[identifier.ID]) == 0 && slices.ContainsFunc(vs[identifier.Word], isIn) ||
		len(named) > 0 && !slices.ContainsFunc(named, isMissing)
}

var valueSeed = maphash.MakeSeed()
