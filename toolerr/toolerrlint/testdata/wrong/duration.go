package wrong

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const wait = 30

var _ = retry.Policy{MaxWait: wait, AttemptTimeout: time.Duration(60)} // want `duration: ` `duration: `

var _ = toolerr.RateLimited("Slow down.", 30) // want `duration: `
