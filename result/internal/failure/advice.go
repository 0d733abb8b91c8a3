package failure

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

const (
	// maxKinds is the maximum number of stored kinds. A gateway's thousand tools have a few each.
	maxKinds = 4000
	// maxKind is how many bytes of a text identify its kind. They are about half a sentence.
	maxKind = 64
)

// A memory counts kinds of advice, and calls of tools. It is safe for concurrent use.
type memory struct {
	seen sync.Map // of *atomic.Int64 by [2]string: how often a kind came up
	n    atomic.Int64
}

// count returns how often a kind has come up, with this time, or 0 if it cannot be stored.
func (m *memory) count(tool, text string) int64 {
	kind := [2]string{tool, text}
	counter, known := m.seen.Load(kind)
	if !known && m.n.Load() < maxKinds {
		if counter, known = m.seen.LoadOrStore(kind, new(atomic.Int64)); !known {
			m.n.Add(1)
		}
	}
	if n, ok := counter.(*atomic.Int64); ok {
		return n.Add(1)
	}
	return 0
}

// memories are those of each logger in use: a stateless server and its middleware end with a request.
var memories sync.Map // of *memory, by weak.Pointer[slog.Logger]

func (c *Classifier) memory() *memory {
	logger := c.Log()
	key := weak.Make(logger)
	m, known := memories.Load(key)
	if !known {
		if m, known = memories.LoadOrStore(key, new(memory)); !known {
			runtime.AddCleanup(logger, func(key weak.Pointer[slog.Logger]) { memories.Delete(key) }, key)
		}
	}
	return m.(*memory) //nolint:errcheck,forcetypeassert // as stored
}

// IsNew reports whether a kind of advice, a tool and the beginning of a text without its digits, is
// new for the classifier's logger in the whole process; beyond maxKinds, none is.
func (c *Classifier) IsNew(tool, text string) bool {
	words := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return '0' <= r && r <= '9' }), "")
	return c.memory().count(tool, strings.Clone(words[:min(len(words), maxKind)])) == 1 // without the rest of the text
}

// Samples counts a tool's calls. It reports true for the first 64, and for one of 64 later ones.
func (c *Classifier) Samples(tool string) bool {
	n := c.memory().count(tool, "\x00calls")
	return n > 0 && (n <= 64 || n%64 == 0)
}

// Warn logs advice to a tool's author at WARN, once per tool and kind of advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	if c.IsNew(tool, advice) {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
