package wrong

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func cancel(_ context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
	if name == "" {
		return nil, nil, errors.New("the order's name is needed") // want `bare: `
	}
	return nil, nil, fmt.Errorf("no order %q", name) // want `bare: `
}

func raw(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, errors.New("no orders") // want `bare: `
}

func library(name string) error { return errors.New(name) }
