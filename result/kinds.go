package result

import (
	"strings"
	"sync"
)

const (
	// maxKinds is the maximum number of stored kinds. Chosen: a program has a few dozen, but
	// texts that quote their input are unlimited.
	maxKinds = 1000
	// maxKind is how many bytes of an error's text identify its kind. Chosen: the beginning of
	// a sentence.
	maxKind = 64
)

// knownKinds stores for which kinds of errors advice was logged. A kind is a tool and the
// beginning of the error's text. The zero value is empty. It is safe for concurrent use.
type knownKinds struct {
	mu   sync.Mutex
	seen map[kind]bool
}

type kind struct{ tool, text string }

// isNew reports whether a kind of error is new, and stores it.
func (k *knownKinds) isNew(tool, text string) bool {
	of := kind{tool, withoutNumbers(text[:min(len(text), maxKind)])}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen[of] || len(k.seen) >= maxKinds {
		return false
	}
	if k.seen == nil {
		k.seen = map[kind]bool{}
	}
	k.seen[kind{of.tool, strings.Clone(of.text)}] = true // without the rest of the text
	return true
}

// withoutNumbers removes the digits of a text, so that texts that differ only in an identifier
// are of the same kind.
func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}
