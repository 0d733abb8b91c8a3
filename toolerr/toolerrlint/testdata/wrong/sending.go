package wrong

import (
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func sending(s *mcp.Server) {
	s.AddSendingMiddleware(result.Middleware(nil)) // want `sending: `
}
