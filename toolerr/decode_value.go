package toolerr

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// decodeMap decodes an object, cleaned and bounded as it would go out. Anything
// else is nil.
func decodeMap(raw json.RawMessage) map[string]any {
	v, ok := new(cleaner).value(decodeRaw(raw), 0)
	m, _ := v.(map[string]any)
	if !ok {
		return nil
	}
	return m
}

func decodeList(raw json.RawMessage) []any {
	var out []any
	c := new(cleaner)
	for item := range itemsOf(raw) {
		v, _ := c.value(decodeRaw(item), 1)
		if out = append(out, v); len(out) == maxList {
			break
		}
	}
	if c.size > maxEnvelope {
		return nil
	}
	return out
}

const (
	// maxCommas is how many a value may have to be read: one with more is as good as
	// absent, since small values take up to a hundred times their text. Chosen: many
	// times what an envelope may have, and some megabytes at most.
	maxCommas = 16 * maxNodes
	// maxItems is how many items of a list are looked at. Chosen: many times what is
	// kept.
	maxItems = 50 * maxList
)

// decodeRaw returns nil for what is no JSON, or too much of it.
func decodeRaw(raw json.RawMessage) any {
	if bytes.Count(raw, []byte{','}) > maxCommas {
		return nil
	}
	v, _ := jsonvalue.Decode(raw)
	return v
}

// itemsOf returns the items of a list one by one, so that only those are read that
// somebody wants. Of anything else there are none.
func itemsOf(raw json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		d := json.NewDecoder(bytes.NewReader(raw))
		if start, err := d.Token(); err != nil || start != json.Delim('[') {
			return
		}
		for n := 0; n < maxItems && d.More(); n++ {
			var item json.RawMessage
			if d.Decode(&item) != nil || !yield(item) {
				return
			}
		}
	}
}

// A cleaner does to decoded JSON what valueEncoder does to values.
type cleaner struct{ nodes, size int }

func (c *cleaner) value(v any, depth int) (any, bool) {
	if c.nodes++; c.nodes > maxNodes || depth > maxDepth || c.size > maxEnvelope {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		text := sanitize.Text(v, sanitize.MaxLength)
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
		for _, k := range slices.Sorted(maps.Keys(v)) { // so that it is always the same that is left out
			item, ok := c.value(v[k], depth+1)
			if !ok || k != "" && sanitize.Identifier(k) == "" {
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
