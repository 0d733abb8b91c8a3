package mcpotel

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxCalled bounds the names learned from calls, because a model may invent names and
	// middleware may answer them. Chosen: no server has so many tools.
	maxCalled = 1000
	// maxListed bounds the names learned from lists. Chosen: package result's bound.
	maxListed = 10_000
	// maxToolName is the longest name that the specification allows.
	maxToolName = 128
)

// knownTools is a set of the names of tools that exist. The zero value is empty. It is
// safe for concurrent use.
type knownTools struct {
	mu     sync.RWMutex
	names  map[string]bool
	called int
}

func (k *knownTools) has(name string) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.names[name]
}

// learn adds the tools of a list.
func (k *knownTools) learn(list *mcp.ListToolsResult) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, tool := range list.Tools {
		if tool != nil && len(k.names) < maxListed {
			k.put(tool.Name)
		}
	}
}

// add adds a called tool, and reports whether the set has it now.
func (k *knownTools) add(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.names[name] && k.called < maxCalled && k.put(name) {
		k.called++
	}
	return k.names[name]
}

func (k *knownTools) put(name string) bool {
	if name == "" || len(name) > maxToolName {
		return false
	}
	if k.names == nil {
		k.names = map[string]bool{}
	}
	k.names[name] = true
	return true
}
