package right

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func cancel(_ context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
	if name == "" {
		return nil, nil, toolerr.MissingArgument("name", "the order's name")
	}
	err := fmt.Errorf("no order %q", name)
	return nil, nil, errors.Join(toolerr.NotFound("order", name), err)
}

func raw(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, toolerr.Validation("No orders.")
}

func library(name string) error { return errors.New(name) }
