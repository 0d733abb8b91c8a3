package jsonvalue

// TypeOf returns the JSON Schema type of a value that [Decode] returns: null, string,
// boolean, array, object, or number for all others, including integers.
func TypeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
