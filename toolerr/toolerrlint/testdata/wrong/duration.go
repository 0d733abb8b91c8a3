package wrong

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

const wait = 30

var _ = retry.Policy{MaxWait: wait, AttemptTimeout: time.Duration(60)} // want `duration: ` `duration: `
