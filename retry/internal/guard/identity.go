package guard

import (
	"crypto/sha256"
	"encoding/json"
	"hash/maphash"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/identifier"
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
	case string, json.Number:
		if id := identifier.Of(v); id != nil && len(values) < maxValues {
			values = append(values, maphash.Bytes(valueSeed, id))
		}
	}
	return values
}

var valueSeed = maphash.MakeSeed()
