package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// masked stands for the value of a secret.
const masked = "[masked]"

// Arguments returns a copy of a call's arguments in which the values of secrets are
// masked, or nil if they are not a JSON object. Secret are the members that
// [secretName] names, those that secret names if it is not nil, and the value of a
// pair of a name and a value, such as a header, if its name is one of these.
// Numbers are of type [encoding/json.Number], so that identifiers over 2^53 stay
// whole.
func Arguments(arguments any, secret func(name string) bool) map[string]any {
	raw, err := jsonvalue.Marshal(arguments)
	if err != nil {
		return nil
	}
	object, _ := jsonvalue.Object(string(raw))
	masker(secret).object(object)
	return object
}

// A masker masks secrets in decoded JSON in place. It names secrets besides those
// that [secretName] names, and may be nil.
type masker func(name string) bool

func (m masker) object(object map[string]any) {
	for member, v := range object {
		if name, ok := v.(string); ok && pairNames[strings.ToLower(member)] {
			m.pair(object, name)
		}
	}
	for name, v := range object {
		if m.isSecret(name, v) {
			object[name] = masked
			continue
		}
		m.value(v)
	}
}

// pair masks the values in an object that is a pair of this name and a value.
func (m masker) pair(object map[string]any, name string) {
	for member, v := range object {
		if pairValues[strings.ToLower(member)] && v != nil && m.isSecret(name, v) {
			object[member] = masked
		}
	}
}

func (m masker) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		m.object(v)
	case []any:
		for _, item := range v {
			m.value(item)
		}
	}
}

// isSecret reports whether a value is masked. A name that was not valid UTF-8 may
// have been any name.
func (m masker) isSecret(name string, value any) bool {
	return secretName(name, value) || strings.ContainsRune(name, utf8.RuneError) || m != nil && m(name)
}
