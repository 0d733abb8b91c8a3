package retry

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// Withdraw takes the tokens of a retry.
func (b *Budget) Withdraw() bool { return b.withdraw() }

// Deposit records the outcome of an attempt.
func (b *Budget) Deposit(o result.Outcome, retried bool) { b.deposit(o, retried) }

// PauseAfter returns the pause after the nth failed dial.
func (p Policy) PauseAfter(err error, n int) time.Duration { return p.pauseAfter(err, n) }
