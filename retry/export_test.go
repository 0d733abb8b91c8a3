package retry

import "github.com/mcp-toolerr/toolerr-go/result"

// Withdraw takes the tokens of a retry.
func (b *Budget) Withdraw() bool { return b.withdraw() }

// Deposit records the outcome of an attempt.
func (b *Budget) Deposit(o result.Outcome, retried bool) { b.deposit(o, retried) }
