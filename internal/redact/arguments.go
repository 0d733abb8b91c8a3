package redact

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// Arguments returns the scalar arguments of a call with secrets masked, or nil if the arguments are
// not a JSON object. Objects, lists, and values that cannot be encoded are left out. It masks texts
// and numbers whose names are those of secrets, and what [Find] finds in texts. Numbers have the type
// [encoding/json.Number], so identifiers over 2^53 are unchanged.
func Arguments(arguments any) map[string]any {
	v, _ := decoded(arguments)
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	shown := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) { // several may be masked to one
		v, ok := decoded(object[name])
		_, isObject := v.(map[string]any)
		if _, isList := v.([]any); ok && !isObject && !isList {
			shown[Mask(name)] = shownValue(name, v) // a name may be a secret
		}
	}
	return shown
}

// decoded returns a value as it would be decoded from JSON, or false if it cannot be encoded.
func decoded(v any) (out any, ok bool) {
	switch v.(type) {
	case nil, bool, string, json.Number, map[string]any, []any:
		return v, true
	}
	defer func() { _ = recover() }() // from a MarshalJSON method
	out, err := jsonvalue.Recode(v)
	return out, err == nil
}

// shownValue returns v, the scalar of the member called name, or its replacement. A name that is
// not valid UTF-8 counts as secret.
func shownValue(name string, v any) any {
	if strings.ContainsRune(name, utf8.RuneError) {
		return masked
	}
	g := gradeOf(name)
	switch v := v.(type) {
	case string:
		if g == secret || g == maybe && looksRandom(v) {
			return masked
		}
		if !isIdentifier(name) || strings.Trim(v, digits+" -") != "" {
			return Mask(v)
		}
	case json.Number:
		if g == secret && !countsTokens(name) || !isIdentifier(name) && isCard(v.String()) {
			return masked
		}
	}
	return v
}
