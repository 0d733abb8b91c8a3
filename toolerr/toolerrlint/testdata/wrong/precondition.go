package wrong

import "github.com/mcp-toolerr/toolerr-go/toolerr"

var _ = toolerr.FailedPrecondition("No.", "Do x first.") // want `precondition: `
