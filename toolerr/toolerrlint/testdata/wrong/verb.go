package wrong

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func read(_ context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
	err := open(name)
	if name == "" {
		return nil, nil, fmt.Errorf("%d%% of %q: %v", 5, name, err) // want `verb: `
	}
	return nil, nil, fmt.Errorf("cannot read: %s", err) // want `verb: `
}

func open(name string) error { return fmt.Errorf("no %s", name) }
