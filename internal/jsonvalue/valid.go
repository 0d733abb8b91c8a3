package jsonvalue

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// MaxNesting is the maximum nesting depth of raw JSON. Chosen: the SDK's clients reject
// messages nested deeper than 1,000, Python's decoder has a similar limit, and the message
// around the value takes a few levels.
const MaxNesting = 990

// Valid reports whether raw is one JSON value that every client can read inside a message:
// valid UTF-8 and not nested deeper than [MaxNesting]. It takes linear time and does not
// allocate.
func Valid(raw []byte) bool {
	return utf8.Valid(raw) && json.Valid(raw) && !isDeep(raw)
}

// isDeep reports whether valid JSON is nested too deep. Text with too few opening brackets
// is not walked.
func isDeep(raw []byte) bool {
	if len(raw) <= 2*MaxNesting || bytes.Count(raw, []byte("["))+bytes.Count(raw, []byte("{")) <= MaxNesting {
		return false
	}
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\':
			i++ // only strings have escapes
		case c == '"':
			inText = !inText
		case inText:
		case c == '[', c == '{':
			if depth++; depth > MaxNesting {
				return true
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return false
}
