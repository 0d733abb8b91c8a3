package jsonvalue

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// MaxNesting is how deep raw JSON may be nested. Chosen: the SDK's clients refuse a message
// that is nested more than 1,000 deep, Python's decoder gives up at about as many, and a
// few of them are the message around it.
const MaxNesting = 990

// Valid reports whether raw is one JSON value that every client can read inside a message:
// valid UTF-8, and not nested deeper than [MaxNesting]. It takes time in proportion to raw,
// and no memory.
func Valid(raw []byte) bool {
	return utf8.Valid(raw) && json.Valid(raw) && !isDeep(raw)
}

// isDeep reports whether valid JSON is nested too deep. What opens nothing that often is
// not walked.
func isDeep(raw []byte) bool {
	if len(raw) <= 2*MaxNesting || bytes.Count(raw, []byte("["))+bytes.Count(raw, []byte("{")) <= MaxNesting {
		return false
	}
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\':
			i++ // only texts have one
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
