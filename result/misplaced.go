package result

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// misplacement returns advice if the middleware was added where it has no effect, otherwise "".
func (c *call) misplacement() string {
	outer := failure.CallOf(c.ctx)
	_, isClient := c.req.GetSession().(*mcp.ClientSession)
	switch {
	case isClient:
		return adviceClient
	case slices.Contains(sentMethods, c.method):
		return adviceSending
	case outer.Context != nil && outer.Session == c.req.GetSession():
		return adviceInside
	}
	return ""
}

// sentMethods lists the methods of messages that only servers send.
var sentMethods = []string{
	"sampling/createMessage", "elicitation/create", "roots/list", "notifications/message",
	"notifications/tools/list_changed",
	"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated",
	"notifications/elicitation/complete",
	"notifications/subscriptions/acknowledged",
}
