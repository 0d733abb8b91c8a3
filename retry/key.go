package retry

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"maps"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

func (p Policy) keyArgument() string { return cmp.Or(p.KeyArgument, defaultKeyArgument) }

// withKey returns the arguments with an idempotency key: the one they hold, or in
// a copy the one that is remembered of an earlier call, or a new one. It returns
// false if they are not a JSON object, or hold a key that is not a string: that is
// the caller's own affair.
func withKey(arguments any, name, remembered string) (with any, key string, ok bool) {
	object, ok := membersOf(arguments)
	if !ok {
		return arguments, "", false
	}
	if key, ok = heldKey(object, name); !ok {
		return arguments, "", false
	}
	if key == "" {
		key = cmp.Or(remembered, newKey())
		object[name] = key
	}
	return object, key, true
}

// membersOf returns a copy of arguments as an object, and whether they are one. The
// values stay as they are, integers over 2^53 too.
func membersOf(arguments any) (map[string]any, bool) {
	if m, ok := arguments.(map[string]any); ok && m != nil {
		return maps.Clone(m), true
	}
	object := map[string]any{}
	raw, err := jsonvalue.Marshal(arguments)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &members) != nil {
		return nil, false
	}
	for name, v := range members {
		object[name] = v
	}
	return object, true
}

// givenKey returns the key that a caller's arguments hold, or "".
func givenKey(arguments any, name string) string {
	object, _ := membersOf(arguments)
	key, _ := heldKey(object, name)
	return key
}

// heldKey returns the key that an object holds, or "", and false if that is not a
// string.
func heldKey(object map[string]any, name string) (key string, ok bool) {
	if object[name] == nil {
		return "", true
	}
	raw, err := jsonvalue.Marshal(object[name])
	if err != nil || json.Unmarshal(raw, &key) != nil {
		return "", false
	}
	return key, true
}

// newKey returns 128 random bits, as many as a UUID has room for and enough that
// no two keys ever meet. It is spelled like one, for schemas that ask for that.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
