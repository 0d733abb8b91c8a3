package wrong

import (
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func perSession(serve func(idempotency.Store) *mcp.Server) []http.Handler {
	return []http.Handler{
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
			opts := &idempotency.Options{Store: &idempotency.MemoryStore{}} // want `store: `
			return serve(opts.Store)
		}, nil),
		mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return newServer(serve) }, nil),
	}
}

func newServer(serve func(idempotency.Store) *mcp.Server) *mcp.Server {
	return serve(new(idempotency.MemoryStore)) // want `store: `
}
