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
	// toolsAge is how long a tool list is cached, because middleware is not notified of
	// changes. Chosen: a list costs microseconds.
	toolsAge = 5 * time.Second
	// listTime is the timeout of a list. Chosen: the answer waits for it.
	listTime = time.Second
	// maxAbsent is the maximum number of cached names that are not in the list. Chosen: a
	// client may send any number of names.
	maxAbsent = 1000
)

// knownTools caches a server's tool list, which it gets from the handler that the middleware
// wraps. The zero value is empty. It is safe for concurrent use.
type knownTools struct {
	list atomic.Pointer[toolList]
	mu   sync.Mutex // held while listing
}

type toolList struct {
	byName map[string]*toolinfo.Tool
	at     time.Time
	broken bool            // incomplete because of an error
	absent map[string]bool // names that are not tools; guarded by knownTools.mu
}

// find returns the tool, or nil. An unknown tool may be new, so that the list is requested
// again. Concurrent callers share one request.
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
			fresh.byName[known] = was // with its decoded schema
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

// errNoList means that the handler returned no list, or panicked.
var errNoList = errors.New("no list of tools")

// lister returns a function that requests the tool list from the handler, on the session of
// req.
func lister(next mcp.MethodHandler, req mcp.Request) toolinfo.Lister {
	return func(ctx context.Context, params *mcp.ListToolsParams) (page *mcp.ListToolsResult, err error) {
		defer func() {
			if recover() != nil { // in other middleware, which may not expect this request
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
