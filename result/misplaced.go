package result

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// misplacement returns what to write instead if the middleware was added where it has no
// effect, or "".
func misplacement(ctx context.Context, method string, req mcp.Request) string {
	_, isClient := req.GetSession().(*mcp.ClientSession)
	switch {
	case isClient:
		return "result.Middleware on a client does nothing: add it to the server, and retry.Middleware to the client"
	case isSent(method):
		return "result.Middleware as sending middleware does nothing: call server.AddReceivingMiddleware(result.Middleware(nil))"
	case failure.IsWithin(ctx, req.GetSession()):
		return "result.Middleware inside another one does nothing: remove it, and give its options to the outer one"
	}
	return ""
}

// isSent reports whether only servers send messages of a method.
func isSent(method string) bool {
	switch method {
	case "sampling/createMessage", "elicitation/create", "roots/list", "notifications/message":
		return true
	}
	return strings.HasPrefix(method, "notifications/") && strings.HasSuffix(method, "/list_changed") && method != "notifications/roots/list_changed" ||
		strings.HasPrefix(method, "notifications/resources/")
}
