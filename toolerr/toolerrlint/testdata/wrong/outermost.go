// Package wrong has each mistake, in a file of its own.
package wrong

import (
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func installed(s, other *mcp.Server, auth mcp.Middleware) {
	s.AddReceivingMiddleware(auth, result.Middleware(nil)) // want `outermost: `
	s.AddReceivingMiddleware(result.Middleware(nil))
	s.AddReceivingMiddleware(auth) // want `outermost: `
	other.AddReceivingMiddleware(auth)
}

func made(auth mcp.Middleware) *mcp.Server {
	s := installedServer()
	s.AddReceivingMiddleware(auth) // want `outermost: `
	return s
}

func installedServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
	s.AddReceivingMiddleware(result.Middleware(nil))
	return s
}
