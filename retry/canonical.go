package retry

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A callID tells calls apart. It holds the server itself: another one may come to
// have the address of a server that is gone, but not while it is held.
type callID struct {
	server any // can be compared
	call   string
}

// callOf returns what tells a call apart: the server, the tool, its arguments
// without the idempotency key, and what the call is given besides them. It is zero
// for a server that cannot be compared, and for arguments that are no JSON. It also
// reports whether the arguments hold a key.
func callOf(server any, params *mcp.CallToolParams, key string) (id callID, withKey bool) {
	if !reflect.ValueOf(server).Comparable() || server != server { // what holds a NaN is never found again
		return callID{}, false
	}
	raw, err := json.Marshal(params.Arguments)
	if err != nil {
		return callID{}, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return callID{}, false
	}
	switch object := v.(type) {
	case nil:
		v = map[string]any{} // as it goes out
	case map[string]any:
		held, _ := object[key].(string)
		withKey = held != ""
		delete(object, key)
	}
	given, err := json.Marshal(params.InputResponses)
	if err != nil {
		return callID{}, false
	}
	same, err := json.Marshal([]any{params.Name, canonical(v), string(given), params.RequestState}) // sorts the members
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
// that a float cannot tell apart. Numbers of absurd size keep their spelling.
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
	return "number " + n.RatString() // no text of the arguments, which would begin with a quote
}
