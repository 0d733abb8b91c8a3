package toolerr

import (
	"bytes"
	"encoding/json"
)

// decodeMap decodes an object, cleaned and bounded as it would go out. Anything
// else is nil.
func decodeMap(raw json.RawMessage) map[string]any {
	v, _ := decodeClean(raw).(map[string]any)
	return v
}

func decodeList(raw json.RawMessage) []any {
	v, _ := decodeClean(raw).([]any)
	return v
}

func decodeClean(raw json.RawMessage) any {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	v, ok := new(cleaner).value(v, 0)
	if !ok {
		return nil
	}
	return v
}

// A cleaner does to decoded JSON what valueEncoder does to values.
type cleaner struct{ nodes, size int }

func (c *cleaner) value(v any, depth int) (any, bool) {
	if c.nodes++; c.nodes > maxNodes || depth > maxDepth || c.size > maxEnvelope {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		text := cleanText(v, maxString)
		c.size += len(text)
		return text, true
	case json.Number:
		c.size += len(v)
		return plainNumber64(v)
	case []any:
		v = v[:min(len(v), maxList)]
		for i := range v {
			v[i], _ = c.value(v[i], depth+1)
		}
		return v, c.size <= maxEnvelope
	case map[string]any:
		for k, item := range v {
			item, ok := c.value(item, depth+1)
			if !ok || k != "" && cleanIdentifier(k) == "" {
				delete(v, k)
				continue
			}
			c.size += len(k)
			v[k] = item
		}
		return v, c.size <= maxEnvelope
	default:
		return v, true
	}
}
