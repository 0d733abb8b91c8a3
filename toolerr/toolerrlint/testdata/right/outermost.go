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
