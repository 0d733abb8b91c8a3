package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// Arguments returns the scalar arguments of a call with secrets masked, or nil if the
// arguments are not a JSON object. Objects and lists are left out, and so is what cannot be
// encoded. Masked are the values of names of secrets, of names that secret reports if it is not
// nil, and what [Find] finds in texts. A text that is JSON is masked as JSON. Numbers have the
// type [encoding/json.Number], so that identifiers over 2^53 are unchanged.
func Arguments(arguments any, secret func(name string) bool) map[string]any {
	v, _ := decoded(arguments)
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	shown := make(map[string]any, len(object))
	for name, v := range object {
		v, ok := decoded(v)
		_, isObject := v.(map[string]any)
		if _, isList := v.([]any); ok && !isObject && !isList {
			shown[Mask(name)] = masker(secret).value(name, v) // a name may be a secret
		}
	}
	return shown
}

// decoded returns a value as JSON is decoded, and false if it cannot be encoded.
func decoded(v any) (out any, ok bool) {
	switch v.(type) {
	case nil, bool, string, json.Number, map[string]any, []any:
		return v, true
	}
	defer func() {
		if recover() != nil { // from a MarshalJSON method
			out, ok = nil, false
		}
	}()
	raw, err := jsonvalue.Marshal(v)
	if err != nil {
		return nil, false
	}
	return jsonvalue.Decode(raw)
}

// A masker masks secrets in decoded JSON. It reports names of secrets in addition to the known
// ones, and may be nil.
type masker func(name string) bool

// value returns a value without its secrets, masked in place. Name is that of its member.
func (m masker) value(name string, v any) any {
	if m.isSecret(name, v) {
		return masked
	}
	switch v := v.(type) {
	case map[string]any:
		for member, item := range v {
			v[member] = m.value(member, item)
		}
	case []any:
		for i, item := range v {
			v[i] = m.value(name, item)
		}
	case string:
		return m.text(v)
	}
	return v
}

// text returns a text with its secrets masked.
func (m masker) text(s string) string {
	if trimmed := strings.TrimSpace(s); trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') {
		if v, ok := jsonvalue.Decode([]byte(trimmed)); ok {
			if raw, err := jsonvalue.Marshal(m.value("", v)); err == nil && strings.Contains(string(raw), masked) {
				return string(raw)
			}
			return s
		}
	}
	return Mask(s)
}

// isSecret reports whether the value of a member is masked. A name that is not valid UTF-8
// may be any name.
func (m masker) isSecret(name string, value any) bool {
	if strings.ContainsRune(name, utf8.RuneError) || m != nil && m(name) {
		return true
	}
	g := gradeOf(name)
	switch value := value.(type) {
	case nil, bool:
		return false
	case json.Number:
		return g == secret && !countsTokens(name)
	case string:
		return g == secret || g == maybe && looksRandom(value)
	}
	return g == secret
}
