package jsonvalue

// TypeOf returns the JSON Schema type of a value of the types that [Decode] returns:
// null, string, boolean, array or object. Anything else, an integer too, is a number.
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
