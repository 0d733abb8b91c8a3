package failure

import (
	"context"
	"log/slog"
	"sync"
	"weak"
)

// maxKinds is the maximum number of stored kinds. A gateway's thousand tools have a few each.
const maxKinds = 8000

// A kind of advice to the reader of a log is about a tool. Loggers outlive the stateless servers that end with
// a request.
type kind struct {
	logger       weak.Pointer[slog.Logger]
	tool, advice string
}

var (
	kinds   = map[kind]bool{} // that have been logged; beyond maxKinds, all are forgotten
	kindsMu sync.Mutex
)

// Warn logs advice to a tool's author at WARN, once in the process per logger, tool and advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	k := kind{weak.Make(c.Log()), tool, advice}
	kindsMu.Lock()
	isKnown := kinds[k]
	if len(kinds) == maxKinds && !isKnown {
		clear(kinds)
	}
	kinds[k] = true
	kindsMu.Unlock()
	if !isKnown {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
