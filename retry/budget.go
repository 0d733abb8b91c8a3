package retry

import (
	"cmp"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Budget bounds the retries of all the callers of one server, so that they do
// not keep down a server that is down: share one as [Policy.Budget]. It is a token
// bucket with a capacity of 100, full at first. A retry costs ten tokens and is not
// made without them, and fifteen more if it fails as well; the first attempt is never
// blocked. A reply that is not a transient failure gives one back, and a retry that
// succeeds gives its cost back. Each second a quarter of a token is added, after a
// random pause of up to 40 s if there is not enough for a retry: clients whose budgets
// were exhausted together must not come back together.
//
// The scheme is that of the AWS SDKs' standard retry mode, which starts with 500
// tokens, takes 5 for a retry and has no drip. This one is smaller, so that a
// client adds four retries to an outage, ten if they are made at once, and one
// each 40 to 80 s after. The figures are measured: with them a server comes back
// as soon as without retries in the simulation of this package's TestRetryStorm.
//
// The zero value is ready to use. It is safe for concurrent use, has no
// goroutine of its own, and must not be copied. A nil *Budget allows every retry.
type Budget struct {
	// Size is the capacity in tokens. Default: 100. Negative, there is no budget: every
	// retry is allowed, also to a [Client], which has one of its own otherwise. It must
	// not be changed after the first use.
	Size int

	mu    sync.Mutex
	spent float64   // tokens that are missing
	at    time.Time // when spent was right; no token is added before it
}

// Measured with "go test ./retry -run Storm -storm -v": a server at a quarter of its
// capacity for 30 s, called by 1,000 clients once a second. Without retries it is
// back after 7 s, and so it is with these figures.
const (
	budgetTokens = 100
	// retryCost: with 5 of 500 tokens, as in the AWS SDKs, the server is back after
	// 31 s.
	retryCost = 10
	// failureCost: without it 3,000 agents, each waiting for its answer, make 1.9
	// attempts a call in place of 1.3.
	failureCost = 15
	// replyRefund is that of the AWS SDKs.
	replyRefund = 1
	// drip is tokens a second: with 0.5 the server is back after 9 s, with 1 after
	// 11 s.
	drip = 0.25
)

func (b *Budget) isNone() bool { return b == nil || b.Size < 0 }

func (b *Budget) size() float64 { return float64(cmp.Or(b.Size, budgetTokens)) }

// Withdraw takes the cost of a retry, ten tokens, and reports whether the budget had
// them. Call it when a retry is otherwise decided; [Do], [CallTool] and their like
// do so themselves.
func (b *Budget) Withdraw() bool {
	if b.isNone() {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.refill(now, 0)
	if b.spent+retryCost > b.size() {
		return false
	}
	b.take(now, retryCost)
	return true
}

// giveBack returns the cost of a retry that was not made after all.
func (b *Budget) giveBack() {
	if b.isNone() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill(time.Now(), retryCost)
}

// Deposit records the outcome of an attempt; retried says that it was not the first.
// Like Withdraw it is called by Do, CallTool and their like.
func (b *Budget) Deposit(o result.Outcome, retried bool) {
	if b.isNone() {
		return
	}
	gain, cost := 0.0, 0.0
	switch {
	case o.Err == nil && retried:
		gain = retryCost
	case o.Err == nil || o.Err.Category != toolerr.CategoryTransient:
		gain = replyRefund
	case retried:
		cost = failureCost
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent == 0 && cost == 0 {
		return // without asking the clock
	}
	now := time.Now()
	b.refill(now, gain)
	b.take(now, cost)
}

// refill adds the tokens of the time that has passed, and gain, up to the capacity.
func (b *Budget) refill(now time.Time, gain float64) {
	if now.After(b.at) {
		gain += drip * now.Sub(b.at).Seconds()
		b.at = now
	}
	b.spent = max(0, b.spent-gain)
}

// take spends at most the tokens that are left.
func (b *Budget) take(now time.Time, cost float64) {
	b.spent = min(b.spent+cost, b.size())
	if cost > 0 && b.spent+retryCost > b.size() {
		b.at = now.Add(time.Duration(rand.Float64() * retryCost / drip * float64(time.Second)))
	}
}
