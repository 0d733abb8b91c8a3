package right

import (
	"context"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func read(_ context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
	err := open(name)
	if name == "" {
		return nil, nil, fmt.Errorf("%d%% of %q: %w", 5, name, err)
	}
	if name == "a" {
		return nil, nil, fmt.Errorf("%w: %v", toolerr.Validation("No."), err)
	}
	return nil, nil, fmt.Errorf("cannot read: %w", err)
}

func open(name string) error { return fmt.Errorf("no %s", name) }
