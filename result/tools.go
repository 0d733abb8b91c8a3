package result

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

const (
	// toolsAge is how long a list of tools is believed, since nothing tells
	// middleware that a server has changed it. Chosen: a list costs microseconds.
	toolsAge = 5 * time.Second
	// listTime is how long it may take. Chosen: the answer waits for it.
	listTime = time.Second
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
	byName map[string]*toolinfo.Tool
	at     time.Time
	broken bool            // not all of it came
	absent map[string]bool // names that were looked for in vain; under knownTools.mu
}

// find returns the tool, or nil. One that is not known may be new, so that the
// list is asked for once more. Callers at the same time ask once.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *toolinfo.Tool {
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
	tools, err := toolinfo.List(ctx, lister(next, req))
	if list == nil {
		list = new(toolList)
	}
	fresh := &toolList{byName: make(map[string]*toolinfo.Tool, len(tools)), at: time.Now(), broken: err != nil, absent: map[string]bool{}}
	for known, tool := range tools {
		if was := list.byName[known]; was != nil && was.Tool == tool {
			fresh.byName[known] = was // with its schema, which is decoded once
			continue
		}
		fresh.byName[known] = toolinfo.New(tool)
	}
	if now.Sub(list.at) < toolsAge && len(list.absent) < maxAbsent {
		for known := range list.absent {
			fresh.absent[known] = tools[known] == nil
		}
	}
	if tools[name] == nil {
		fresh.absent[name] = true
	}
	k.list.Store(fresh)
	return fresh.byName[name]
}

// errNoList is what was asked for a list and gave none, or panicked.
var errNoList = errors.New("no list of tools")

// lister asks the handler for the tools in the name of a request.
func lister(next mcp.MethodHandler, req mcp.Request) toolinfo.Lister {
	return func(ctx context.Context, params *mcp.ListToolsParams) (page *mcp.ListToolsResult, err error) {
		defer func() {
			if recover() != nil { // other middleware, asked what it did not expect
				err = errNoList
			}
		}()
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return nil, errNoList
		}
		res, err := next(ctx, methodListTools, &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()})
		if page, ok = res.(*mcp.ListToolsResult); err == nil && (!ok || page == nil) {
			err = errNoList
		}
		return page, err
	}
}
