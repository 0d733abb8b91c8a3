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
	// maxKinds is the maximum number of stored kinds. A program has far fewer, unless texts quote
	// input.
	maxKinds = 1000
	// maxKind is how many bytes of a text identify its kind. They are about half a sentence.
	maxKind = 64
)

// Advice remembers which advice was logged. A kind of advice is identified by a tool and the
// beginning of a text. The zero value is empty. It is safe for concurrent use.
type Advice struct {
	seen sync.Map // of *atomic.Int64 by [2]string: how often a kind came up
	n    atomic.Int64
}

// IsNew reports whether a kind of advice is new, and stores it; beyond maxKinds, no kind is new.
// Texts that differ only in digits are of the same kind.
func (a *Advice) IsNew(tool, text string) bool {
	words := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return '0' <= r && r <= '9' }), "")
	return a.count(tool, strings.Clone(words[:min(len(words), maxKind)])) == 1 // without the rest of the text
}

// count returns how often a kind has come up, with this time, or 0 if it cannot be stored.
func (a *Advice) count(tool, text string) int64 {
	kind := [2]string{tool, text}
	counter, known := a.seen.Load(kind)
	if !known && a.n.Load() >= maxKinds {
		return 0
	}
	if !known {
		if counter, known = a.seen.LoadOrStore(kind, new(atomic.Int64)); !known {
			a.n.Add(1)
		}
	}
	return counter.(*atomic.Int64).Add(1) //nolint:errcheck,forcetypeassert // as stored
}

// memories are those of each logger that is in use. Stateless HTTP servers are made for each
// request, so neither a server nor its middleware can remember it.
var memories sync.Map // of *memory, by weak.Pointer[slog.Logger]

// A memory holds what was logged, and which tools were called, which are counted apart because a
// server may have thousands.
type memory struct{ advice, calls Advice }

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

// IsNew is [Advice.IsNew] for the classifier's logger, in the whole process.
func (c *Classifier) IsNew(tool, text string) bool { return c.memory().advice.IsNew(tool, text) }

// Samples counts a tool's calls, and reports whether this one is among the first 64, or one of 64
// later ones. It is for checks that take longer than the rest of a call that succeeds.
func (c *Classifier) Samples(tool string) bool {
	const looks = 64
	n := c.memory().calls.count(tool, "")
	return n > 0 && (n <= looks || n%looks == 0)
}

// Warn logs advice to a tool's author at WARN, once per tool and kind of advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	if c.IsNew(tool, advice) {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
