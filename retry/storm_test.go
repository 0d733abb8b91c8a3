package retry_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	fullStorm   = flag.Bool("storm", false, "simulate retry storms with thousands of clients, not hundreds")
	updateStorm = flag.Bool("update", false, "draw testdata/storm.svg; implies -storm")
)

// A caller makes one call of a client with any number of attempts.
type caller func(client int, send func() error) error

// A retrier is a way to retry. It creates a caller for each run.
type retrier struct {
	name      string
	newCaller func(clients int) caller
}

const (
	noRetries          = "no retries"
	immediateRetries   = "3 retries, immediate"
	exponentialRetries = "3 retries, 1-2-4 s"
	jitteredRetries    = "3 retries, full jitter"
	budgetedRetries    = "Do with a Budget"
	agentRetries       = "Do with AgentPolicy"
)

var retriers = []retrier{
	{noRetries, func(int) caller { return func(_ int, send func() error) error { return send() } }},
	{immediateRetries, func(int) caller { return byHand(func(int) {}) }},
	{exponentialRetries, func(int) caller { return byHand(func(i int) { time.Sleep(time.Second << i) }) }}, // in a synctest bubble
	{jitteredRetries, func(int) caller {
		var mu sync.Mutex
		seeded := rand.New(rand.NewPCG(1, 2))
		return byHand(func(i int) {
			mu.Lock()
			wait := time.Duration(seeded.Int64N(int64(time.Second << i)))
			mu.Unlock()
			time.Sleep(wait) // in a synctest bubble
		})
	}},
	{budgetedRetries, byPolicy(func() retry.Policy { return retry.Policy{Budget: new(retry.Budget)} })},
	{agentRetries, byPolicy(retry.AgentPolicy)},
}

// byPolicy returns callers with their own policies, like clients in processes of their own.
func byPolicy(newPolicy func() retry.Policy) func(clients int) caller {
	return func(clients int) caller {
		policies := make([]retry.Policy, clients)
		for i := range policies {
			policies[i] = newPolicy()
		}
		return func(client int, send func() error) error {
			p := policies[client]
			p.Safety, p.Logger = retry.SafetyReadOnly, slog.New(slog.DiscardHandler)
			_, err := retry.Do(context.Background(), p, func(context.Context) (struct{}, error) { return struct{}{}, send() })
			return err
		}
	}
}

// byHand is a typical handwritten retry loop.
func byHand(wait func(i int)) caller {
	return func(_ int, send func() error) error {
		err := send()
		for i := 0; i < 3 && err != nil; i++ {
			wait(i)
			err = send()
		}
		return err
	}
}

// A climate is an outage and the clients that call during it.
type climate struct {
	name    string
	outage  outage
	clients int
	load    func(*storm, int, caller)
}

// run simulates each retrier in a climate, by default with a tenth of the clients and of
// the server.
func (cl climate) run(t *testing.T, retriers ...retrier) map[string]*storm {
	t.Helper()
	scale := 10
	if *fullStorm || *updateStorm {
		scale = 1
	}
	clients := cl.clients / scale
	out := map[string]*storm{}
	for _, r := range retriers {
		synctest.Test(t, func(*testing.T) {
			s := newStorm(cl.outage, scale)
			cl.load(s, clients, r.newCaller(clients))
			out[r.name] = s
		})
		// Otherwise the results would not show the effect of the outage.
		for i, c := range out[r.name].seconds[:warmUp/time.Second] {
			require.Zero(t, c.failed, "calls that failed in second %d, before the outage", i)
			require.Equal(t, c.calls, c.attempts, "attempts in second %d, before the outage", i)
		}
	}
	return out
}

// TestRetryStorm shows that unbounded retries keep a server down after an outage, because
// each call that times out causes more calls that do. With a Budget the server recovers as
// fast as without retries.
func TestRetryStorm(t *testing.T) {
	t.Parallel()
	down, slow := outage{0, 30 * time.Second}, outage{0.25, 30 * time.Second}
	slowOpen := climate{"at 25% for 30 s, 1000 calls a second", slow, 1000, openLoop}
	for _, cl := range []climate{
		{"down for 30 s, 1000 calls a second", down, 1000, openLoop},
		{"down for 30 s, 3000 agents", down, 3000, closedLoop},
		slowOpen,
		{"at 25% for 30 s, 3000 agents", slow, 3000, closedLoop},
	} {
		t.Run(cl.name, func(t *testing.T) {
			t.Parallel()
			storms := cl.run(t, retriers...)
			var table strings.Builder
			for _, r := range retriers {
				s := storms[r.name]
				recovery := s.recovery().String()
				if s.recovery() == aftermath {
					recovery = "never"
				}
				fmt.Fprintf(&table, "\n%-24s %.2f attempts a call, recovered after %5s, %6d calls failed",
					r.name, s.amplification(), recovery, s.failures())
			}
			t.Log(table.String())

			assert.InDelta(t, 1, storms[noRetries].amplification(), 0, noRetries)
			assert.LessOrEqual(t, storms[budgetedRetries].amplification(), 1.4, budgetedRetries)
			for _, name := range []string{budgetedRetries, agentRetries} {
				assert.LessOrEqual(t, storms[name].recovery(), storms[noRetries].recovery()+2*time.Second, name)
			}
			if cl.clients == 3000 { // agents that wait for their answers
				// Measured: 13 % more for one outage and 5 % for the other, with standard deviations of 3 % and 2 %.
				assert.LessOrEqual(t, storms[agentRetries].failures(), storms[exponentialRetries].failures()*3/2, agentRetries)
			} else {
				assert.LessOrEqual(t, storms[agentRetries].amplification(), 1.7, agentRetries)
			}
			if cl.name != slowOpen.name {
				return
			}
			for _, name := range []string{immediateRetries, exponentialRetries, jitteredRetries} {
				assert.Equal(t, aftermath, storms[name].recovery(), name)
			}
			checkDrawing(t, slow, storms)
		})
	}
}

// TestBudget_RandomPause checks that clients whose budgets ran out together do not return
// together whenever their budgets have refilled. Otherwise it would depend on the length of
// the outage whether such a wave meets the recovering server.
func TestBudget_RandomPause(t *testing.T) {
	t.Parallel()
	cl := climate{"at 25% for 2 min, 1000 calls a second", outage{0.25, 2 * time.Minute}, 1000, openLoop}
	storms := cl.run(t, retriers[0], retriers[len(retriers)-2])
	const dry = 20 // seconds after the start of the outage
	retries := 0
	for i, c := range storms[budgetedRetries].seconds[warmUp/time.Second+dry:][:100] {
		assert.LessOrEqual(t, c.attempts, c.calls*6/5, "attempts in second %d of the outage", dry+i)
		retries += c.attempts - c.calls
	}
	assert.Positive(t, retries, "retries after the budgets ran out")
	assert.LessOrEqual(t, storms[budgetedRetries].recovery(), storms[noRetries].recovery()+2*time.Second)
}
