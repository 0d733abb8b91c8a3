package retry

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"maps"
)

func (p Policy) keyArgument() string {
	if p.KeyArgument == "" {
		return defaultKeyArgument
	}
	return p.KeyArgument
}

// withKey returns the arguments with an idempotency key: the one they hold, or in
// a copy the one that is remembered of an earlier call, or a new one. It fails
// where they are no JSON object, or hold a key that is no string.
func withKey(arguments any, name, remembered string) (with any, key string, ok bool) {
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
		key = cmp.Or(remembered, newKey())
		object[name] = key
	}
	return object, key, true
}

// givenKey returns the key that a caller's arguments hold, or "".
func givenKey(arguments any, name string) string {
	object, ok := arguments.(map[string]any)
	if !ok {
		raw, err := json.Marshal(arguments)
		if err != nil || json.Unmarshal(raw, &object) != nil {
			return ""
		}
	}
	key, _ := object[name].(string)
	return key
}

// keyLength is how many characters a key has: those of a UUID (RFC 9562).
const keyLength = 36

// newKey returns 128 random bits, as many as a UUID has room for and enough that
// no two keys ever meet. It is spelled like one, for schemas that ask for that.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
