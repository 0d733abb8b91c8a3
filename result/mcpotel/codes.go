package mcpotel

import (
	"regexp"
	"slices"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxLearned is the maximum number of codes learned from a server's own failures. It was chosen
// because a server with fifty tools uses fewer; each code adds a time series for every tool that
// sends it.
const maxLearned = 100

// word matches codes that may be learned.
var word = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+){0,7}$`)

// knownCodes holds the codes that are recorded unchanged. It is safe for concurrent use.
type knownCodes struct {
	mu    sync.RWMutex
	known map[toolerr.Code]bool
	left  int // how many may still be learned
	warn  func()
}

// newCodes returns a set of the codes of package toolerr and more. If isServer is set, it learns
// others. Warn is called when knows first returns false.
func newCodes(more []toolerr.Code, isServer bool, warn func()) *knownCodes {
	k := &knownCodes{known: map[toolerr.Code]bool{}, warn: sync.OnceFunc(warn)}
	for _, c := range slices.Concat(ownCodes, more) {
		k.known[c] = true
	}
	if isServer {
		k.left = maxLearned
	}
	return k
}

// knows reports whether a code is recorded unchanged. It learns the code if possible.
func (k *knownCodes) knows(c toolerr.Code) bool {
	k.mu.RLock()
	known := k.known[c]
	k.mu.RUnlock()
	if known {
		return true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == 0 || len(c) > maxToolName || !word.MatchString(string(c)) {
		k.warn()
		return false
	}
	if !k.known[c] {
		k.known[c] = true
		k.left--
	}
	return true
}
