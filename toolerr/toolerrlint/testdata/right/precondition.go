package right

import "github.com/mcp-toolerr/toolerr-go/toolerr"

var _ = toolerr.FailedPrecondition("No.", "do_x").WithHint("Do x first.")
