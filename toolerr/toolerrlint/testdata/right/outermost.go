// Package right has the twin of each mistake.
package right

import (
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func installed(s, other *mcp.Server, auth, log mcp.Middleware) {
	s.AddReceivingMiddleware(auth)
	s.AddReceivingMiddleware(result.Middleware(nil), log)
	other.AddReceivingMiddleware(auth)
}

func made(auth mcp.Middleware) *mcp.Server {
	s := installedServer(auth)
	s.AddSendingMiddleware(auth)
	return s
}

func installedServer(more ...mcp.Middleware) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
	s.AddReceivingMiddleware(more...)
	s.AddReceivingMiddleware(result.Middleware(nil))
	return s
}
