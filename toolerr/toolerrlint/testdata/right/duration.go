package right

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	wait  = 30
	exact = 30_000_000_000
	short = 20 * time.Nanosecond
)

var _ = []retry.Policy{{MaxWait: wait * time.Second, AttemptTimeout: exact}, {MaxWait: short}, {BaseDelay: 1}}

var _ = toolerr.RateLimited("Slow down.", 30*time.Second)
