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

// kinds has how often each kind has come up. Beyond maxKinds, all are forgotten.
var kinds = struct {
	sync.Mutex

	counts map[kind]int
}{counts: map[kind]int{}}

// count returns how often a kind has come up, with this time.
func (c *Classifier) count(tool, text string) int {
	k := kind{weak.Make(c.Log()), tool, text}
	kinds.Lock()
	defer kinds.Unlock()
	n := kinds.counts[k] + 1
	if n == 1 {
		k.text = strings.Clone(text) // without the rest of it
		if len(kinds.counts) == maxKinds {
			clear(kinds.counts)
		}
	}
	kinds.counts[k] = n
	return n
}

// IsNew reports whether a kind of advice, a tool and the beginning of a text without its digits, is
// new for the classifier's logger in the whole process.
func (c *Classifier) IsNew(tool, text string) bool {
	words := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text[:min(len(text), 2*maxKind)])
	return c.count(tool, words[:min(len(words), maxKind)]) == 1
}

// Samples counts a tool's calls. It reports true for the first 64, and for one of 64 later ones.
func (c *Classifier) Samples(tool string) bool {
	n := c.count(tool, "\x00calls")
	return n <= 64 || n%64 == 0
}

// Warn logs advice to a tool's author at WARN, once per tool and kind of advice.
func (c *Classifier) Warn(ctx context.Context, tool, advice string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	if c.IsNew(tool, advice) {
		c.Log().WarnContext(ctx, advice, slog.String("gen_ai.tool.name", tool))
	}
}
