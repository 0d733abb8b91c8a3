package retry

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maskArguments returns arguments as a report may show them, or nil where they
// are no JSON object.
func maskArguments(arguments any) map[string]any {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // identifiers over 2^53 stay whole
	if d.Decode(&object) != nil {
		return nil
	}
	maskObject(object, secretName)
	return object
}

// maskObject masks the members whose names are secret, and the value of a pair of
// a name and a value, such as a header is, whose name is.
func maskObject(object map[string]any, secret func(name string, value any) bool) {
	for member, v := range object {
		name, ok := v.(string)
		if !ok || !pairNames[strings.ToLower(member)] {
			continue
		}
		for other, value := range object {
			if pairValues[strings.ToLower(other)] && value != nil && hidden(name, value, secret) {
				object[other] = "[masked]"
			}
		}
	}
	for name, v := range object {
		if hidden(name, v, secret) {
			object[name] = "[masked]"
			continue
		}
		maskValue(v, secret)
	}
}

// hidden reports whether a value is masked: what a name was that is no text,
// nobody can tell.
func hidden(name string, value any, secret func(string, any) bool) bool {
	return secret(name, value) || strings.ContainsRune(name, utf8.RuneError)
}

func maskValue(v any, secret func(string, any) bool) {
	switch v := v.(type) {
	case map[string]any:
		maskObject(v, secret)
	case []any:
		for _, item := range v {
			maskValue(item, secret)
		}
	}
}
