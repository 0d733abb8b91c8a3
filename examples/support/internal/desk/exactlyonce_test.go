package desk

import (
	"flag"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	refundCount = flag.Int("refunds", 200, "how many refunds the tests of ExactlyOnce ask for over each transport")
	refundSeed  = flag.Uint64("seed", 1, "what decides which of them meet which fault")
)

const (
	agentCount  = 50
	serverCount = 5 // each one serves ten agents
)

// TestExactlyOnce lets many agents ask for refunds while replies are lost and
// servers are killed. Their clients have the default policy, send a key with each
// refund, and repeat what fails. At the end the gateway's book, which has survived
// all of it, is compared with what the agents were told.
//
//	go test ./examples/support/internal/desk -run ExactlyOnce -v -refunds 10000
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRush(t, start, retry.SafetyOf, *refundCount)
			r.check(t, r.run(t))
			assert.Zero(t, r.tally.keyless, "calls that may have been done, without a key to repeat them with")
		})
	}
}

// TestExactlyOnce_WithoutKeys is the same with clients that send no keys.
// They do not repeat a call that may have been done. The decision is verify, and the
// agents ask again only if nothing was done or will be.
func TestExactlyOnce_WithoutKeys(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRush(t, start, nil, *refundCount)
			r.check(t, r.run(t))
			assert.Positive(t, r.tally.verified)
		})
	}
}

// TestExactlyOnce_FindsDuplicates checks the comparison itself: a gateway that ignores
// the keys books twice.
func TestExactlyOnce_FindsDuplicates(t *testing.T) {
	t.Parallel()
	r := newRush(t, starts["stdio"], retry.SafetyOf, 200)
	r.trouble.ignoreKeys()
	assert.Positive(t, r.run(t).doubled)
}

// A rush is many agents who ask for refunds at the same time.
type rush struct {
	payments *gateway
	trouble  *trouble
	servers  []*server
	agents   []*clerk
	wanted   []refund
	tally    tally
	took     time.Duration
}

// newRush starts the services and the servers. Safety is that of the clients; with
// nil they send no keys.
func newRush(t *testing.T, start func(*testing.T, *server), safety func(*mcp.Tool) retry.Safety, count int) *rush {
	t.Helper()
	up, err := startUpstreams()
	require.NoError(t, err)
	t.Cleanup(up.close)
	r := &rush{payments: up.payments}
	for i := range max(count, killEvery) { // a server is killed at least once
		r.wanted = append(r.wanted, wantedRefund(i))
	}
	for range serverCount {
		s := &server{ctx: t.Context(), flags: []string{"-orders", up.orders.URL, "-payments", up.payments.URL, "-timeout", "500ms"}}
		start(t, s)
		s.client.Safety, s.client.Policy.Logger = safety, silent
		t.Cleanup(s.close)
		r.servers = append(r.servers, s)
	}
	for i := range agentCount {
		r.agents = append(r.agents, &clerk{
			client: r.servers[i%serverCount].client, keyed: safety != nil, book: newLookUp(up.payments.URL), tally: &r.tally,
		})
	}
	r.trouble = newTrouble(*refundSeed, r)
	up.payments.chosenBy(r.trouble.choose)
	return r
}

// run lets the agents ask, each for one refund after the other, and compares.
func (r *rush) run(t *testing.T) findings {
	t.Helper()
	started := time.Now()
	told := make([]belief, len(r.wanted))
	var asking sync.WaitGroup
	for i, agent := range r.agents {
		asking.Go(func() {
			for n := i; n < len(r.wanted); n += agentCount {
				told[n] = agent.ask(t.Context(), r.wanted[n])
			}
		})
	}
	asking.Wait()
	r.took = time.Since(started)
	// What is still under way comes to its end before the book is read.
	for _, s := range r.servers {
		s.close()
	}
	_, err := newLookUp(r.payments.URL).completed(t.Context(), "")
	require.NoError(t, err)
	return compare(told, r.payments.all())
}

func (r *rush) check(t *testing.T, f findings) {
	t.Helper()
	t.Logf("%s: %s", t.Name(), r.report(f))
	assert.Zero(t, f.doubled, "refunds booked more than once")
	assert.Zero(t, f.lost, "refunds that an agent believes done and that are not booked")
	assert.Empty(t, append(f.wrong, r.tally.wrong...), "what an agent was told and is not so")
	assert.LessOrEqual(t, f.unfinished*100, len(r.wanted)*3, "three in a hundred may be unfinished")
	assert.Positive(t, r.trouble.kills())
}
