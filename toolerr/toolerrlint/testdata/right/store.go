package right

import (
	"net/http"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func perSession(serve func(idempotency.Store) *mcp.Server) []http.Handler {
	store := &idempotency.MemoryStore{}
	var once sync.Once
	var server *mcp.Server
	return []http.Handler{
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
			opts := &idempotency.Options{Store: store}
			return serve(opts.Store)
		}, nil),
		mcp.NewSSEHandler(func(*http.Request) *mcp.Server {
			once.Do(func() { server = serve(new(idempotency.MemoryStore)) })
			return server
		}, nil),
	}
}
