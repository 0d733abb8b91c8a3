package retry

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxMerged is how many values the merged results may have, since it is these that
	// take memory. Chosen: decoded they take some 100 MB, and no agent reads more.
	maxMerged = 1_000_000
	// perValue is how many bytes count as a value. Chosen: about what one takes in
	// memory, so that long texts count as well.
	perValue = 64
)

// hasRoomFor counts the values of a part before it is decoded, since a byte of JSON takes
// up to a hundred decoded. One that is too large is kept as it is.
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

// results returns all results as JSON, and whether there are any. A part that was not
// decoded is joined to the others as text if both are lists.
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

// valuesIn counts the values of a JSON text, and the names of members, without decoding
// it: those after a comma or a colon, and the first of what is not empty.
func valuesIn(raw []byte) int {
	n, inText, first := 1, false, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\':
			i++ // only texts have one
		case inText:
			inText = c != '"'
		case c <= ' ':
		default:
			if c == ',' || c == ':' || first && c != ']' && c != '}' {
				n++
			}
			first, inText = c == '[' || c == '{', c == '"'
		}
	}
	return n + len(raw)/perValue
}
