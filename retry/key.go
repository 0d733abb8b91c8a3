package retry

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// defaultKeyArgument is that of idempotency.Options, too, because the MCP specification names none.
const defaultKeyArgument = "idempotency_key"

// keyIn returns the arguments as an object, or nil if they are none, and the idempotency key in it, or "". It returns
// false without an object, or if the key in it is not a string. The map may be the caller's: do not change it. Values
// are kept exactly, including integers over 2^53.
func keyIn(arguments any, name string) (object map[string]any, key string, ok bool) {
	if object, _ = arguments.(map[string]any); object == nil {
		v, err := jsonvalue.Recode(arguments)
		if v == nil && err == nil {
			v = map[string]any{}
		}
		object, _ = v.(map[string]any)
	}
	ok = object != nil
	switch v := object[name].(type) {
	case nil:
	case string:
		key = v
	default: // a type of the program
		raw, err := jsonvalue.Marshal(v)
		ok = err == nil && json.Unmarshal(raw, &key) == nil
	}
	return object, key, ok
}

// newKey returns a key of 128 random bits, which makes collisions negligible.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, according to its documentation
	return formatKey(b)
}

// formatKey formats a key as a UUID, for schemas that require one.
func formatKey(b [16]byte) string {
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
