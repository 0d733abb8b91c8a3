package result

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// toolsAge is how long a list of tools is believed, since nothing tells
	// middleware that a server has changed it.
	toolsAge = time.Minute
	// maxToolPages ends a list that has no end.
	maxToolPages = 100
)

// knownTools are a server's own tools, learned by asking the handler that
// middleware wraps. The zero value knows none. It is safe for concurrent use.
type knownTools struct {
	mu     sync.Mutex
	byName map[string]*mcp.Tool
	listed time.Time
}

// find returns the tool, or nil.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *mcp.Tool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.listed) > toolsAge {
		k.byName = listTools(ctx, next, req)
		k.listed = time.Now()
	}
	return k.byName[name]
}

func listTools(ctx context.Context, next mcp.MethodHandler, req mcp.Request) (tools map[string]*mcp.Tool) {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return nil
	}
	defer func() {
		_ = recover() // other middleware, asked what it did not expect
	}()
	tools = make(map[string]*mcp.Tool)
	params := new(mcp.ListToolsParams)
	for range maxToolPages {
		res, err := next(ctx, methodListTools, &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()})
		list, ok := res.(*mcp.ListToolsResult)
		if err != nil || !ok || list == nil {
			return tools
		}
		for _, tool := range list.Tools {
			tools[tool.Name] = tool
		}
		if list.NextCursor == "" {
			return tools
		}
		params = &mcp.ListToolsParams{Cursor: list.NextCursor}
	}
	return tools
}
