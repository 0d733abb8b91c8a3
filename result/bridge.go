package result

import (
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// For arguments.go and schema.go, until they are replaced.
var (
	marshal  = jsonvalue.Marshal
	safeText = failure.Text
)
