package result

import (
	"strings"
	"sync"
)

const (
	// maxKinds bounds the kinds of errors that are remembered of a server. Chosen: a
	// program has some dozen, and texts that quote what they were given have no end.
	maxKinds = 1000
	// maxKind is how many bytes of an error's text make its kind. Chosen: a sentence's
	// beginning.
	maxKind = 64
)

// knownKinds are the kinds of errors that advice was given for: a tool, and the words
// that a text begins with. The zero value knows none. It is safe for concurrent use.
type knownKinds struct {
	mu   sync.Mutex
	seen map[string]bool
}

// isNew reports whether no error of this kind was seen before, and remembers it.
func (k *knownKinds) isNew(tool, text string) bool {
	kind := tool + "\n" + withoutNumbers(text[:min(len(text), maxKind)])
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen[kind] || len(k.seen) >= maxKinds {
		return false
	}
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	k.seen[kind] = true
	return true
}

// withoutNumbers drops the digits of a text, so that two texts which differ in an
// identifier alone are of one kind.
func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}
