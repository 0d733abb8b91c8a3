package result

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// toolsAge is how long a list of tools is believed, since nothing tells
	// middleware that a server has changed it. Ours: a list costs microseconds.
	toolsAge = 5 * time.Second
	// maxToolPages ends a list that has no end.
	maxToolPages = 100
)

// knownTools are a server's own tools, learned by asking the handler that
// middleware wraps. The zero value knows none. It is safe for concurrent use.
type knownTools struct{ list atomic.Pointer[toolList] }

type toolList struct {
	byName map[string]*mcp.Tool
	at     time.Time
}

// find returns the tool, or nil. One that is not known may be new.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *mcp.Tool {
	if list := k.list.Load(); list != nil && time.Since(list.at) < toolsAge {
		if tool, ok := list.byName[name]; ok {
			return tool
		}
	}
	tools, ok := listTools(ctx, next, req)
	if ok {
		k.list.Store(&toolList{byName: tools, at: time.Now()})
	}
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
