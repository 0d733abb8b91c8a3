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
	in.values.add(arguments)
	return true
}

// Values are hashes of values in a call's arguments: of the identifying ones, of other strings, of dates and of
// other numbers. Of a call without identifying values, all strings together identify what it is about, or all
// dates if it has no strings, or all numbers.
type values [4][]uint64

const dates = 2 // the kind of dates

// maxValues is the maximum number of values of a kind. Models' calls have fewer.
const maxValues = 64

func (vs *values) add(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			vs.add(item)
		}
	case []any:
		for _, item := range v {
			vs.add(item)
		}
	}
	same, identifies := identifier.Of(v)
	kind := 3
	if text, isText := v.(string); identifies {
		kind = 0
	} else if identifier.IsDate(text) {
		kind = dates
	} else if isText {
		kind = 1
	}
	if len(same) > 0 && len(vs[kind]) < maxValues {
		vs[kind] = append(vs[kind], maphash.Bytes(valueSeed, same))
	}
}

// naming returns the values that say what a call is about.
func (vs *values) naming() []uint64 {
	for _, all := range vs {
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

var valueSeed = maphash.MakeSeed()
