package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxWhole is the size in bytes up to which a text is decoded as a whole. Chosen: a
	// report has a few hundred, an envelope at most 8 KiB.
	maxWhole = 64 << 10
	// maxObject is the size in bytes up to which a text is read as an object. Chosen: 128
	// times the size of an envelope; only the partial results of an envelope are larger.
	maxObject = 1 << 20
	// maxMember is the size in bytes up to which a member of a larger object is decoded.
	// Chosen: as large as an envelope may be.
	maxMember = 8 << 10
	// maxMembers is how many members of a larger object are read.
	maxMembers = 256
)

// object decodes text that is a JSON object as a whole. Only the small members of a large
// object are decoded, because an envelope holds no others.
func object(text string) (map[string]any, bool) {
	text = strings.TrimSpace(text)
	switch {
	case len(text) <= maxWhole:
		return jsonvalue.Object(text)
	case len(text) > maxObject || text[0] != '{':
		return nil, false
	}
	s := jsonvalue.NewScanner([]byte(text))
	m := smallMembers(&s, 0)
	return m, s.Done()
}

// smallMembers reads an object of a scanner and returns its small members. Of a long text it
// returns the beginning.
func smallMembers(s *jsonvalue.Scanner, depth int) map[string]any {
	const maxDepth = 3 // chosen: an error in a report, and its details
	m := map[string]any{}
	for more := s.Open(); more; more = s.More('}') {
		name, _ := s.Text(s.Name())
		v := s.Value()
		raw := s.Raw(v)
		switch in := s.In(v); {
		case len(m) == maxMembers || len(name) > maxMember:
		case len(raw) <= maxMember:
			m[name], _ = jsonvalue.Decode(raw)
		case v.Kind == '{' && depth < maxDepth:
			m[name] = smallMembers(&in, depth+1)
		case v.Kind == '"':
			text, _ := s.Text(v)
			m[name] = strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxMember)], ""))
		}
	}
	return m
}
