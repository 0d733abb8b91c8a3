package failure

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What reads results, set by package result.
var (
	// ReadResult returns the failure that a failed result reports, and whether the
	// whole of its first text is an envelope.
	ReadResult func(*mcp.CallToolResult) (e *toolerr.Error, whole bool)
	// FirstText returns the first text of a result that is not empty.
	FirstText func(*mcp.CallToolResult) string
	// IsObject reports whether a text is a JSON object, in an adapter's frame or not.
	IsObject func(text string) bool
)
