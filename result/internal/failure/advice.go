package failure

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"weak"
)

const (
	// maxKinds is the maximum number of stored kinds. A gateway's thousand tools have a few each.
	maxKinds = 8000
	// maxKind is how many bytes of a text identify its kind. They are about half a sentence.
	maxKind = 64
)

// A kind of advice to the reader of a log is about a tool, and a text. Loggers outlive the stateless
// servers that end with a request.
type kind struct {
	logger     weak.Pointer[slog.Logger]
	tool, text string
}

var (
	kinds   = map[kind]bool{} // that have come up; beyond maxKinds, all are forgotten
	kindsMu sync.Mutex
)

// IsNew reports whether a kind of advice, a tool and the beginning of a text up to a digit, is new for
// the classifier's logger in the whole process.
func (c *Classifier) IsNew(tool, text string) bool {
	text = text[:strings.IndexAny(text[:min(len(text), maxKind)]+"0", "0123456789")]
	k := kind{weak.Make(c.Log()), tool, text}
	kindsMu.Lock()
	defer kindsMu.Unlock()
	if kinds[k] {
		return false
	}
	if len(kinds) == maxKinds {
		clear(kinds)
	}
	k.text = strings.Clone(text) // without the rest of it
	kinds[k] = true
	return true
}

// Warn logs advice to a tool's author at WARN, once per tool and kind of advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	if c.IsNew(tool, advice) {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
