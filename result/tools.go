package result

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// toolsAge is how long a list of tools is believed, since nothing tells
	// middleware that a server has changed it. Chosen: a list costs microseconds.
	toolsAge = 5 * time.Second
	// listTime is how long it may take. Chosen: the answer waits for it.
	listTime = time.Second
	// maxToolPages ends a list that has no end. Chosen: no server has so many.
	maxToolPages = 10_000
	// maxAbsent bounds the names that are known not to be on the list. Chosen: a
	// client may make up names without end.
	maxAbsent = 1000
)

// knownTools are a server's own tools, learned by asking the handler that
// middleware wraps. The zero value knows none. It is safe for concurrent use.
type knownTools struct {
	list atomic.Pointer[toolList]
	mu   sync.Mutex // held by who asks
}

type toolList struct {
	byName map[string]*mcp.Tool
	at     time.Time
	broken bool            // not all of it came
	absent map[string]bool // names that were looked for in vain; under knownTools.mu
}

// find returns the tool, or nil. One that is not known may be new, so that the
// list is asked for once more. Callers at the same time ask once.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *mcp.Tool {
	now := time.Now()
	list := k.list.Load()
	if list != nil && now.Sub(list.at) < toolsAge {
		if tool, ok := list.byName[name]; ok {
			return tool
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	list = k.list.Load()
	if list != nil && (list.at.After(now) || now.Sub(list.at) < toolsAge && (list.broken || list.absent[name])) {
		return list.byName[name]
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	tools, ok := listTools(ctx, next, req)
	fresh := &toolList{byName: tools, at: time.Now(), broken: !ok, absent: map[string]bool{}}
	if list != nil && now.Sub(list.at) < toolsAge && len(list.absent) < maxAbsent {
		for known := range list.absent {
			fresh.absent[known] = tools[known] == nil
		}
	}
	if tools[name] == nil {
		fresh.absent[name] = true
	}
	k.list.Store(fresh)
	return tools[name]
}

// listTools returns the tools, and whether these are all.
func listTools(ctx context.Context, next mcp.MethodHandler, req mcp.Request) (tools map[string]*mcp.Tool, ok bool) {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return nil, false
	}
	defer func() {
		if recover() != nil { // other middleware, asked what it did not expect
			ok = false
		}
	}()
	tools = make(map[string]*mcp.Tool)
	params := new(mcp.ListToolsParams)
	for range maxToolPages {
		res, err := next(ctx, methodListTools, &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()})
		page, isList := res.(*mcp.ListToolsResult)
		if err != nil || !isList || page == nil {
			return tools, false
		}
		for _, tool := range page.Tools {
			tools[tool.Name] = tool
		}
		if page.NextCursor == "" {
			return tools, true
		}
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
	return tools, false
}
