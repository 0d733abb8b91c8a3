package retry

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"maps"
)

func (p Policy) keyArgument() string {
	if p.KeyArgument == "" {
		return DefaultKeyArgument
	}
	return p.KeyArgument
}

// withKey returns the arguments with an idempotency key: the one they hold, or
// a new one in a copy. It fails where they are no JSON object, or hold a key
// that is no string.
func withKey(arguments any, name string) (with any, key string, ok bool) {
	object := map[string]any{}
	switch a := arguments.(type) {
	case nil:
	case map[string]any:
		object = maps.Clone(a)
		if object == nil {
			object = map[string]any{}
		}
	default:
		raw, err := json.Marshal(arguments)
		if err != nil {
			return arguments, "", false
		}
		// The values stay as they are, integers over 2^53 too.
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return arguments, "", false
		}
		for k, v := range members {
			object[k] = v
		}
	}
	if held, ok := object[name]; ok {
		raw, err := json.Marshal(held)
		var text *string
		if err != nil || json.Unmarshal(raw, &text) != nil {
			return arguments, "", false // a key of another kind is the caller's own affair
		}
		if text != nil {
			key = *text
		}
	}
	if key == "" {
		key = newKey()
		object[name] = key
	}
	return object, key, true
}

// newKey returns 128 random bits, as many as a UUID has room for and enough
// that no two keys ever meet.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}
