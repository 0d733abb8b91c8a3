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
	seen sync.Map // of [2]string
	n    atomic.Int64
}

// IsNew reports whether a kind of advice is new, and stores it; beyond maxKinds, no kind is new.
// Texts that differ only in digits are of the same kind.
func (a *Advice) IsNew(tool, text string) bool {
	words := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return '0' <= r && r <= '9' }), "")
	kind := [2]string{tool, strings.Clone(words[:min(len(words), maxKind)])} // without the rest of the text
	if _, known := a.seen.Load(kind); known || a.n.Load() >= maxKinds {
		return false
	}
	_, known := a.seen.LoadOrStore(kind, nil)
	a.n.Add(1)
	return !known
}

// memories are the advice of each logger that is in use. Stateless HTTP servers are made for each
// request, so neither a server nor its middleware can remember it.
var memories sync.Map // of *Advice, by weak.Pointer[slog.Logger]

// IsNew is [Advice.IsNew] for the classifier's logger, in the whole process.
func (c *Classifier) IsNew(tool, text string) bool {
	logger := c.Log()
	key := weak.Make(logger)
	memory, known := memories.Load(key)
	if !known {
		if memory, known = memories.LoadOrStore(key, new(Advice)); !known {
			runtime.AddCleanup(logger, func(key weak.Pointer[slog.Logger]) { memories.Delete(key) }, key)
		}
	}
	return memory.(*Advice).IsNew(tool, text) //nolint:errcheck,forcetypeassert // as stored
}

// Warn logs advice to a tool's author at WARN, once per tool and kind of advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	if c.IsNew(tool, advice) {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
