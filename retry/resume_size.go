package retry

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxMerged is the maximum number of values in the merged results, which determines the
	// memory that they need. Chosen: decoded they take about 100 MB, more than agents read.
	maxMerged = 1_000_000
	// perValue is the number of bytes that count as one value, so that long strings count
	// too. Chosen: about the size of a value in memory.
	perValue = 64
)

// hasRoomFor counts the values of a part, and reports whether the part may be decoded: a
// byte of JSON takes up to a hundred bytes decoded. A part that is too large is kept raw.
func (ps *parts) hasRoomFor(raw json.RawMessage) bool {
	ps.values += valuesIn(raw)
	if ps.values <= maxMerged {
		return true
	}
	if jsonvalue.Valid(raw) {
		ps.rest = raw
	}
	return false
}

// results returns all results as JSON, and whether they can be encoded. A raw part is
// joined to the others as text if both are lists.
func (ps *parts) results() (json.RawMessage, bool) {
	raw, err := jsonvalue.Marshal(ps.merged)
	rest := json.RawMessage(bytes.TrimSpace(ps.rest))
	switch {
	case err != nil:
		return nil, false
	case len(rest) == 0:
		return raw, true
	case ps.merged == nil:
		return rest, true
	case raw[0] == '[' && rest[0] == '[' && len(bytes.TrimSpace(rest[1:len(rest)-1])) > 0 && len(raw) > 2:
		return slices.Concat(raw[:len(raw)-1], []byte{','}, rest[1:]), true
	}
	return slices.Concat([]byte{'['}, raw, []byte{','}, rest, []byte{']'}), true
}

// valuesIn counts the values and the member names of a JSON text without decoding it: each
// follows a comma or a colon, or is the first of a list or object. Long texts count more.
func valuesIn(raw []byte) int {
	n, inString, first := 1, false, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\':
			i++ // occurs only in strings
		case inString:
			inString = c != '"'
		case c <= ' ':
		default:
			if c == ',' || c == ':' || first && c != ']' && c != '}' {
				n++
			}
			first, inString = c == '[' || c == '{', c == '"'
		}
	}
	return n + len(raw)/perValue
}
