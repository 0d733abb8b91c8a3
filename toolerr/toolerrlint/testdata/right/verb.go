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

func open(name string) error {
	if err := lock(name); err != nil {
		return fmt.Errorf("cannot lock: %w", err)
	}
	return fmt.Errorf("no %s", name)
}

func lock(name string) error { return fmt.Errorf("no lock for %s", name) }

// elsewhere is called by no tool.
func elsewhere(err error) error { return fmt.Errorf("cannot start: %v", err) }
