package mcpotel

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxCalled is the maximum number of names learned from calls: a model may invent names, and
	// middleware may answer such calls. It is chosen because no server has that many tools.
	maxCalled = 1000
	// maxListed limits the number of names: beyond it, lists add none. It is chosen to equal
	// package result's limit.
	maxListed = 10_000
	// maxToolName is the maximum length of a tool's name in the MCP specification.
	maxToolName = 128
)

// knownNames holds the tools and prompts that exist, by the names of their spans. The zero value is
// empty. It is safe for concurrent use.
type knownNames struct {
	mu     sync.RWMutex
	bySpan map[string]*opening
	called int
}

// find returns the opening for a target, or nil if its name is unknown.
func (k *knownNames) find(method, name string) *opening {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.bySpan[method+" "+name]
}

// learn adds the tools or prompts of a list result.
func (in *instrument) learn(res mcp.Result) {
	method, listed := "", []string{}
	switch list := res.(type) {
	case *mcp.ListToolsResult:
		for i := 0; list != nil && i < len(list.Tools); i++ {
			if tool := list.Tools[i]; tool != nil {
				method, listed = methodCallTool, append(listed, tool.Name)
			}
		}
	case *mcp.ListPromptsResult:
		for i := 0; list != nil && i < len(list.Prompts); i++ {
			if prompt := list.Prompts[i]; prompt != nil {
				method, listed = methodGetPrompt, append(listed, prompt.Name)
			}
		}
	}
	if len(listed) == 0 {
		return
	}
	k := &in.names
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, name := range listed {
		if len(k.bySpan) < maxListed {
			in.put(method, name)
		}
	}
}

// called adds the target of a request, and reports whether it is now known.
func (in *instrument) called(method, name string) bool {
	k := &in.names
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bySpan[method+" "+name] == nil && k.called < maxCalled && in.put(method, name) {
		k.called++
	}
	return k.bySpan[method+" "+name] != nil
}

func (in *instrument) put(method, name string) bool {
	if name == "" || len(name) > maxToolName {
		return false
	}
	o := in.opening(method, name)
	if in.names.bySpan[o.name] != nil {
		return true
	}
	if in.names.bySpan == nil {
		in.names.bySpan = map[string]*opening{}
	}
	in.names.bySpan[o.name] = o
	return true
}
