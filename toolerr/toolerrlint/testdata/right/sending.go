package right

import (
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func sending(s *mcp.Server, trace mcp.Middleware) {
	s.AddReceivingMiddleware(result.Middleware(nil))
	s.AddSendingMiddleware(trace)
}
