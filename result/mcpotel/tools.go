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

// knownTools are the tools that exist, by name. The zero value is empty. It is safe for
// concurrent use.
type knownTools struct {
	mu     sync.RWMutex
	byName map[string]*opening
	called int
}

// find returns nil for an unknown tool.
func (k *knownTools) find(name string) *opening {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.byName[name]
}

// learn adds the tools of a list.
func (in *instrument) learn(list *mcp.ListToolsResult) {
	k := &in.tools
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, tool := range list.Tools {
		if tool != nil && len(k.byName) < maxListed {
			in.put(tool.Name)
		}
	}
}

// called adds a called tool, and reports whether it is known now.
func (in *instrument) called(name string) bool {
	k := &in.tools
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byName[name] == nil && k.called < maxCalled && in.put(name) {
		k.called++
	}
	return k.byName[name] != nil
}

func (in *instrument) put(name string) bool {
	if name == "" || len(name) > maxToolName {
		return false
	}
	if in.tools.byName[name] != nil {
		return true
	}
	if in.tools.byName == nil {
		in.tools.byName = map[string]*opening{}
	}
	in.tools.byName[name] = in.opening(methodCallTool, name)
	return true
}
