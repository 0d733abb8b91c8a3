package toolerr

import (
	"encoding/json"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// A cleaner decodes JSON into the types of encoding/json, sanitized and bounded like valueEncoder's
// output. It skips a dropped value without storing it.
type cleaner struct {
	s           jsonvalue.Scanner
	nodes, size int
}

// value consumes a value, and reports whether the value could be encoded again.
func (c *cleaner) value(depth int) (any, bool) {
	if c.nodes++; c.nodes > maxNodes || depth > maxDepth || c.size > maxEnvelope {
		c.s.Value()
		return nil, false
	}
	switch c.s.Kind() {
	case '{':
		return c.object(depth)
	case '[':
		return c.list(depth)
	}
	v := c.s.Value()
	switch v.Kind {
	case '"':
		text := textOf(&c.s, v)
		c.size += len(text)
		return text, true
	case '0':
		n, _ := c.s.Number(v)
		c.size += len(n)
		return plainNumber64(n)
	case 't', 'f':
		return v.Kind == 't', true
	}
	return nil, true
}

func (c *cleaner) object(depth int) (map[string]any, bool) {
	m := map[string]any{}
	for more := c.s.Open(); more; more = c.s.More('}') {
		name := c.s.Name()
		item, ok := c.value(depth + 1)
		if !ok && (c.nodes > maxNodes || c.size > maxEnvelope) {
			continue // over a limit: keep no further names either
		}
		key, _ := c.s.Text(name)
		if ok = ok && (key == "" || sanitize.Identifier(key) != ""); ok {
			c.size += len(key)
			m[key] = item
		} else {
			delete(m, key) // the last member with a name replaces the earlier ones
		}
	}
	return m, c.size <= maxEnvelope
}

// list keeps at most maxList items. An item that could not be encoded again becomes nil.
func (c *cleaner) list(depth int) ([]any, bool) {
	list := []any{}
	for more := c.s.Open(); more; more = c.s.More(']') {
		if len(list) == maxList {
			c.s.Value()
			continue
		}
		item, _ := c.value(depth + 1)
		list = append(list, item)
	}
	return list, c.size <= maxEnvelope
}

// plainNumber64 returns n as a float64 if that is written the same way, and n itself
// otherwise. It reports whether n can be written again.
func plainNumber64(n json.Number) (any, bool) {
	if f, err := n.Float64(); err == nil {
		var buf [32]byte
		if text, ok := appendFloat(buf[:0], f); ok && string(text) == string(n) {
			return f, true
		}
	}
	if len(n) > maxNumber || !jsonvalue.IsFloat(string(n)) {
		return nil, false
	}
	return n, true
}
