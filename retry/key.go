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

// withKey returns the arguments with an idempotency key: their own, or, in a copy, that of an
// earlier call or a new one. It returns false if the arguments are not a JSON object, or
// have a key that is not a string.
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

// membersOf returns a copy of the arguments as an object, and reports whether they are one.
// Values are kept exactly, including integers over 2^53.
func membersOf(arguments any) (map[string]any, bool) {
	if m, ok := arguments.(map[string]any); ok && m != nil {
		return maps.Clone(m), true
	}
	v, err := jsonvalue.Recode(arguments)
	if v == nil {
		v = map[string]any{}
	}
	object, ok := v.(map[string]any)
	return object, ok && err == nil
}

// givenKey returns the key in the caller's arguments, or "".
func givenKey(arguments any, name string) string {
	object, _ := membersOf(arguments)
	key, _ := heldKey(object, name)
	return key
}

// heldKey returns the key of an object, or "". It returns false if the key is not a string.
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

// newKey returns a key of 128 random bits, which makes collisions negligible.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, according to its documentation
	return formatKey(b)
}

// formatKey formats a key as a UUID, for schemas that require one.
func formatKey(b [16]byte) string {
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
