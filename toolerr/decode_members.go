package toolerr

import (
	"encoding/json"
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// members holds the position of each member of a scanned object. Its methods, except effect, treat
// a member of the wrong type as absent.
type members struct {
	s   jsonvalue.Scanner
	all map[string]jsonvalue.Span
}

func (m *members) text(name string) string { return textOf(&m.s, m.all[name]) }

func textOf(s *jsonvalue.Scanner, v jsonvalue.Span) string {
	text, _ := s.Text(v)
	return sanitize.Text(text, sanitize.MaxLength)
}

func (m *members) identifier(name string) string {
	text, _ := m.s.Text(m.all[name])
	return sanitize.Word(text)
}

// items calls yield before each item of a list until yield returns false. Yield must read the item
// with a copy of the scanner.
func (m *members) items(name string, yield func(*jsonvalue.Scanner) bool) {
	v := m.all[name]
	if v.Kind != '[' {
		return
	}
	s := m.s.In(v)
	for more := s.Open(); more && yield(&s); more = s.More(']') {
		s.Value()
	}
}

// list returns the first maxList strings of a list that are not empty.
func (m *members) list(name string) []string {
	var out []string
	m.items(name, func(s *jsonvalue.Scanner) bool {
		in := *s
		if text := textOf(&in, in.Value()); text != "" {
			out = append(out, text)
		}
		return len(out) < maxList
	})
	return out
}

// count returns a non-negative integer of at most 1<<53. On 32-bit platforms, a number that an int
// cannot hold becomes 0, for unknown, because a smaller number would be wrong.
func (m *members) count(name string) int {
	if m.all[name].Kind != '0' {
		return 0
	}
	number, _ := m.s.Number(m.all[name])
	n, err := number.Float64()
	if err != nil {
		return 0
	}
	if n = max(0, min(n, 1<<53)); n > math.MaxInt {
		return 0
	}
	return int(n)
}

// millis returns a delay from an untrusted source. A negative or unreadable delay becomes 0, and
// one above the limit becomes the limit.
func (m *members) millis(name string) time.Duration {
	number, ok := m.s.Number(m.all[name])
	if !ok {
		return 0
	}
	ms, _ := number.Float64()
	return time.Duration(math.Ceil(max(0, min(ms, float64(classify.MaxDelay/time.Millisecond))))) * time.Millisecond
}

// object returns an object, sanitized and bounded as by AppendJSON, or nil for other types.
func (m *members) object(name string) map[string]any {
	object, _ := m.value(name).(map[string]any)
	return object
}

func (m *members) options(name string) []any {
	if list, _ := m.value(name).([]any); len(list) > 0 {
		return list
	}
	return nil
}

// value returns what AppendJSON writes of an object or a list, decoded; or nil.
func (m *members) value(name string) any {
	v := m.all[name]
	if v.Kind != '{' && v.Kind != '[' {
		return nil
	}
	plain, _ := jsonvalue.Decode(m.s.Raw(v))
	raw, ok := appendValue(nil, plain)
	if !ok {
		return nil
	}
	plain, _ = jsonvalue.Decode(raw)
	return withFloats(plain)
}

// withFloats replaces each number in v with a float64 if that is written the same way, and returns v.
func withFloats(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			if text, ok := appendFloat(nil, f); ok && string(text) == string(v) {
				return f
			}
		}
	case map[string]any:
		for name, member := range v {
			v[name] = withFloats(member)
		}
	case []any:
		for i, item := range v {
			v[i] = withFloats(item)
		}
	}
	return v
}
