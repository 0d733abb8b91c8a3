package guard

import (
	"crypto/sha256"
	"hash/maphash"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/identifier"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
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
	in.values.add("", arguments)
	return true
}

// A value is a string or a number in a call's arguments: hashes of its name and itself, and how well it identifies.
type value struct {
	name, same uint64
	kind       identifier.Kind
}

// Values are the values of a call.
type values []value

// maxValues is the maximum number of values of a call. Models' calls have fewer.
const maxValues = 64

func (vs *values) add(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			vs.add(name, item)
		}
	case []any:
		for _, item := range v {
			vs.add(name, item)
		}
	}
	if same, kind := identifier.Of(v); len(same) > 0 && len(*vs) < maxValues {
		*vs = append(*vs, value{maphash.String(valueSeed, name), maphash.Bytes(valueSeed, same), kind})
	}
}

// areSeenIn reports whether a call with the other values is a look at what a call with these is about: it shares a
// value that identifies it, or else a word, a value of the same name or all values, and has no other value of a name.
func (vs *values) areSeenIn(others values) bool {
	best, shares, all := identifier.Other, false, len(*vs) > 0
	for _, v := range *vs {
		best = max(best, v.kind)
	}
	agreed := map[uint64]bool{} // the names of both
	for _, v := range *vs {
		found := false
		for _, o := range others {
			isNamed, isSame := v.name == o.name, v.same == o.same
			found = found || isSame
			if v.kind < best && best == identifier.Number {
				continue
			}
			shares = shares || isSame && (isNamed || v.kind > identifier.Other)
			if isNamed {
				agreed[v.name] = agreed[v.name] || isSame
			}
		}
		all = all && found
	}
	for _, same := range agreed {
		if !same {
			return false
		}
	}
	return shares || all
}

var valueSeed = maphash.MakeSeed()
