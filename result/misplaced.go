package result

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// misplacement returns advice if the middleware was added where it has no effect, otherwise "".
func misplacement(ctx context.Context, method string, req mcp.Request) string {
	_, isClient := req.GetSession().(*mcp.ClientSession)
	switch {
	case isClient:
		return "result.Middleware on a client does nothing: add it to the server, and retry.Middleware to the client"
	case slices.Contains(sentMethods, method):
		return "result.Middleware as sending middleware does nothing: call server.AddReceivingMiddleware(result.Middleware(nil))"
	case failure.IsWithin(ctx, req.GetSession()):
		return "result.Middleware inside another one does nothing: remove it, and give its options to the outer one"
	}
	return ""
}

// sentMethods lists the methods of messages that only servers send.
var sentMethods = []string{
	"sampling/createMessage", "elicitation/create", "roots/list", "notifications/message", "notifications/tools/list_changed",
	"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated", "notifications/elicitation/complete",
	"notifications/subscriptions/acknowledged",
}
