package retry

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A callID tells calls apart. It holds the server itself: another one may come to
// have the address of a server that is gone, but not while it is held.
type callID struct {
	server any // comparable
	call   string
}

// callOf returns the identity of a call: the server, the tool, its arguments without
// the idempotency key, and the rest of what the call is given. It is zero for a
// server that is not comparable, and for arguments that are not JSON. It also reports
// whether the arguments hold a key.
func callOf(server any, params *mcp.CallToolParams, keyArgument string) (id callID, withKey bool) {
	if !reflect.ValueOf(server).Comparable() || server != server { // a server that holds a NaN is never found again
		return callID{}, false
	}
	raw, err := jsonvalue.Marshal(params.Arguments)
	arguments, ok := jsonvalue.Decode(raw)
	if err != nil || !ok {
		return callID{}, false
	}
	switch object := arguments.(type) {
	case nil:
		arguments = map[string]any{} // as it is sent
	case map[string]any:
		held, _ := object[keyArgument].(string)
		withKey = held != ""
		delete(object, keyArgument)
	}
	same, err := jsonvalue.Marshal([]any{params.Name, canonical(arguments), params.InputResponses, params.RequestState}) // sorts the members
	if err != nil {
		return callID{}, false
	}
	sum := sha256.Sum256(same)
	return callID{server: server, call: string(sum[:])}, withKey
}

// canonical spells the numbers in v in one way.
func canonical(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			v[name] = canonical(item)
		}
	case []any:
		for i, item := range v {
			v[i] = canonical(item)
		}
	case string:
		return strconv.Quote(v)
	case json.Number:
		return canonicalNumber(string(v))
	}
	return v
}

// canonicalNumber returns the same for 40, 40.0 and 4e1, and not for two numbers
// that a float64 cannot tell apart. Numbers of absurd size keep their spelling.
func canonicalNumber(text string) any {
	const longest, largest = 64, 300 // chosen: a float64 has at most 24 characters, and exponents up to 308
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if e, err := strconv.Atoi(cmp.Or(exponent, "0")); err != nil || e > largest || e < -largest || len(text) > longest {
		return json.Number(text)
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return json.Number(text)
	}
	return "number " + n.RatString() // unlike a string of the arguments, which begins with a quote
}
