package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxWhole is the size in bytes up to which a value is decoded as a whole. Chosen: a
	// report has a few hundred, an envelope at most 8 KiB.
	maxWhole = 64 << 10
	// maxMember is the size in bytes up to which a member of a larger object is decoded.
	// Chosen: as large as an envelope may be.
	maxMember = 8 << 10
	// maxMembers is how many members of a larger object are read.
	maxMembers = 256
)

// A long value is a list or an object that is too large to be decoded, in its original
// spelling.
type long struct {
	raw  string
	size int // how many values it holds
	list bool
}

// object decodes text that is a JSON object as a whole. Only the small members of a large
// object are decoded, because an envelope holds no others.
func object(text string) (m map[string]any, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) <= maxWhole {
		return jsonvalue.Object(text)
	}
	if text[0] != '{' {
		return nil, false
	}
	v, end := decodeLong(text, 0)
	m, ok = v.(map[string]any)
	return m, ok && end == len(text)
}

// decodeLong decodes an object member by member. It returns the index after its end, or -1.
func decodeLong(text string, depth int) (v any, end int) {
	const maxDepth = 3 // chosen: an error in a report, and its details
	m := map[string]any{}
	i := skipSpace(text, 1)
	for n := 0; i < len(text) && text[i] == '"'; n++ {
		nameEnd := skipString(text, i)
		value := skipSpace(text, nameEnd)
		if nameEnd < 0 || value >= len(text) || text[value] != ':' {
			return nil, -1
		}
		value = skipSpace(text, value+1)
		valueEnd, size := skipValue(text, value)
		if valueEnd < 0 {
			return nil, -1
		}
		if n < maxMembers && nameEnd-i < maxMember {
			v, _ := jsonvalue.Decode([]byte(text[i:nameEnd]))
			if name, ok := v.(string); ok {
				m[name] = decodeMember(text[value:valueEnd], size, depth, maxDepth)
			}
		}
		if i = skipSpace(text, valueEnd); i < len(text) && text[i] == ',' {
			i = skipSpace(text, i+1)
		}
	}
	if i >= len(text) || text[i] != '}' {
		return nil, -1
	}
	return m, i + 1
}

func decodeMember(raw string, size, depth, maxDepth int) any {
	switch {
	case len(raw) <= maxMember:
		v, _ := jsonvalue.Decode([]byte(raw))
		return v
	case raw[0] == '{' && depth < maxDepth:
		v, _ := decodeLong(raw, depth+1)
		return v
	case raw[0] == '"': // up to the length of prose
		end := maxMember
		for end > 0 && raw[end-1] == '\\' || end > 6 && strings.Contains(raw[end-6:end], `\u`) {
			end--
		}
		v, _ := jsonvalue.Decode([]byte(strings.ToValidUTF8(raw[:end], "") + `"`))
		return v
	case raw[0] == '{' || raw[0] == '[':
		return long{raw: raw, size: size, list: raw[0] == '['}
	}
	return nil
}

func skipSpace(text string, i int) int {
	for i >= 0 && i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, or -1.
func skipString(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue returns the index after the value that begins at i, or -1, and how many values
// it contains, if it is a list or an object. It does not validate the contents.
func skipValue(text string, i int) (end, size int) {
	if i >= len(text) {
		return -1, 0
	}
	switch text[i] {
	case '"':
		return skipString(text, i), 0
	case '[', '{':
		return skipContainer(text, i)
	}
	n := strings.IndexAny(text[i:], ",]} \t\r\n")
	if n <= 0 {
		return -1, 0
	}
	return i + n, 0
}

// skipContainer is skipValue for a list or an object.
func skipContainer(text string, i int) (end, size int) {
	inner := skipSpace(text, i+1)
	depth, commas := 0, 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = skipString(text, i) - 1; i < 0 {
				return -1, 0
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth > 0 {
				continue
			}
			if i == inner {
				return i + 1, 0
			}
			return i + 1, commas + 1
		case ',':
			if depth == 1 {
				commas++
			}
		}
	}
	return -1, 0
}
