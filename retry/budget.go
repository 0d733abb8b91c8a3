package retry

import (
	"cmp"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Budget limits the retries of all callers of one server, so that they do not prolong an outage.
// It is a token bucket, as in the AWS SDKs' standard mode. A retry costs 10 tokens, and 15 more if
// it fails transiently; without 10 tokens it is not made. A reply that is not a transient failure
// refunds 1, a successful retry its 10. A quarter of a token is added each second, after a random
// pause of at most 40 s if too few were left for a retry. So in an outage a client makes four
// retries, or ten if concurrent, and then one every 40 to 80 s. The zero value is full; a nil
// *Budget allows every retry. A Budget is safe for concurrent use; do not copy it.
type Budget struct {
	// Size is the capacity in tokens. Default: 100. Negative: no limit, even in a [Client] or a
	// [Middleware], which replace a nil Budget. Do not change it after the first use.
	Size int

	mu    sync.Mutex
	spent float64   // missing tokens
	at    time.Time // the time of spent; before it, only refunds are added
}

// Measured with "go test -C examples/compare ./storm -storm -v": a server at a quarter of its
// capacity for 30 s, called once a second by each of 1,000 clients. It recovers after 7 s with
// these figures, as it does without retries.
const (
	budgetTokens = 100
	// retryCost: with 5 of 500 tokens, as in the AWS SDKs, the server recovers after 31 s.
	retryCost = 10
	// failureCost: without it 3,000 agents that wait for their answers make 1.9 attempts per call
	// instead of 1.3.
	failureCost = 15
	// replyRefund is the AWS SDKs' value.
	replyRefund = 1
	// drip is in tokens per second: with 0.5 the server recovers after 9 s, with 1 after 11 s.
	drip = 0.25
)

// withdraw takes the tokens for a retry, and reports whether there were enough.
func (b *Budget) withdraw() bool { return b.change(0, retryCost, false) }

// deposit records the outcome of an attempt; retried means that it was charged as a retry.
func (b *Budget) deposit(o result.Outcome, retried bool) {
	gain, cost := 0.0, 0.0
	switch {
	case o.Err == nil && retried:
		gain = retryCost
	case o.Err == nil || o.Err.Category != toolerr.CategoryTransient:
		gain = replyRefund
	case retried:
		cost = failureCost
	}
	b.change(gain, cost, true)
}

// change adds gain and the tokens for the elapsed time, up to the capacity, and then takes cost. It returns
// false if there are fewer tokens, which it takes only if inPart is set.
func (b *Budget) change(gain, cost float64, inPart bool) bool {
	if b == nil || b.Size < 0 {
		return true // no limit
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent == 0 && cost == 0 {
		return true // without asking the clock
	}
	now, size := time.Now(), float64(cmp.Or(b.Size, budgetTokens))
	if now.After(b.at) {
		gain += drip * now.Sub(b.at).Seconds()
		b.at = now
	}
	b.spent = max(0, b.spent-gain)
	enough := b.spent+cost <= size
	if !enough && !inPart {
		return false
	}
	b.spent = min(b.spent+cost, size)
	if cost > 0 && b.spent+retryCost > size {
		b.at = now.Add(time.Duration(rand.Float64() * retryCost / drip * float64(time.Second)))
	}
	return enough
}
