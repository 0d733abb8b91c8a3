package ledger_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

var (
	soakOrders = flag.Int("soak", 300, "how many orders the agents of TestSoak call for, over all seeds")
	soakSeeds  = flag.Int("seeds", 2, "with how many seeds, which decide what is wanted and what goes wrong")
)

// soakAgents is how many agents call at the same time.
const soakAgents = 200

// TestSoak lets agents call tools of every safety, of servers that are ours and not,
// while intermediaries lose, cut, garble, repeat and replace what goes over the wire,
// callers do not wait for the end and servers are killed. An agent does what it is told:
// it trusts that nothing was done if it is told so, and if it is told to verify it looks
// at the ledger and goes on accordingly. At the end the ledger says whether anything was
// done twice, and whether anybody was told what was not so.
//
//	go test ./internal/testutil/ledger -run Soak -soak 20000 -seeds 5 -v
func TestSoak(t *testing.T) {
	t.Parallel()
	for seed := range *soakSeeds {
		s := newSoak(t, uint64(seed)+1, (*soakOrders+*soakSeeds-1) / *soakSeeds)
		s.run(t)
		s.check(t)
	}
}

// The comparison at the end is not blind: hosts that repeat whatever fails book twice.
func TestSoak_StubbornHosts(t *testing.T) {
	t.Parallel()
	s := newSoak(t, 1, 100)
	for _, at := range s.sites {
		at.callers["stubborn"] = stubborn{at.callers["naive host"]}
	}
	for _, k := range s.tasks {
		k.kind, k.tool, k.fate = "stubborn", ledger.Pay, ledger.TextFate(0)
	}
	s.run(t)
	assert.Positive(t, s.compare().doubled)
}

// A stubborn host repeats what has failed, whatever it is told.
type stubborn struct{ ledger.Caller }

// Call implements [ledger.Caller].
func (s stubborn) Call(ctx context.Context, tool string, args map[string]any) (told ledger.Told) {
	for range most {
		if told = s.Caller.Call(ctx, tool, args); told.Outcome.AsError() == nil {
			break
		}
	}
	return told
}

// Close implements [ledger.Caller].
func (stubborn) Close() {}

// A soak is one run with one seed.
type soak struct {
	seed  uint64
	book  *ledger.Book
	sites []*site
	tasks []*task
	ends  []end
	tally tally
	took  time.Duration
}

func newSoak(t *testing.T, seed uint64, orders int) *soak {
	t.Helper()
	s := &soak{seed: seed, book: new(ledger.Book), tally: tally{counts: map[string]int{}}, ends: make([]end, orders)}
	up := httptest.NewServer(ledger.Upstream(s.book, &idempotency.MemoryStore{MaxSize: -1}))
	t.Cleanup(up.Close)
	s.sites = sitesOf(up.URL)
	for _, at := range s.sites {
		require.NoError(t, at.open(seed))
	}
	for n := range orders {
		s.tasks = append(s.tasks, newTask(seed, n, s.sites, s.book, &s.tally))
	}
	return s
}

func (s *soak) run(t *testing.T) {
	t.Helper()
	started := time.Now()
	var agents sync.WaitGroup
	for i := range soakAgents {
		agents.Go(func() {
			for n := i; n < len(s.tasks); n += soakAgents {
				s.ends[n] = s.tasks[n].run(t.Context())
			}
		})
	}
	agents.Wait()
	s.took = time.Since(started)
	var closing sync.WaitGroup
	for _, at := range s.sites { // nobody books any more after that
		closing.Go(at.close)
	}
	closing.Wait()
}

// findings are what the book says to what the agents believe.
type findings struct {
	doubled int
	wrong   []string // what an agent was told, or believes, that is not so
}

// compare holds what the agents believe against the book.
func (s *soak) compare() findings {
	f := findings{wrong: slices.Clone(s.tally.wrong)}
	for n, k := range s.tasks {
		booked := len(s.book.Of(k.order))
		if booked > 1 {
			f.doubled++
		}
		s.tally.count(string(s.ends[n]))
		believed := s.ends[n] == done || s.ends[n] == found
		switch {
		case k.tool == ledger.Look:
		case booked > 1, believed && booked == 0, s.ends[n] == notDone && booked > 0:
			f.wrong = append(f.wrong, fmt.Sprintf("%s, %s, %s, %s, %q: %s, and booked %d times", k.order, k.site.name, k.kind, k.tool, k.fate, s.ends[n], booked))
		}
	}
	return f
}

func (s *soak) check(t *testing.T) {
	t.Helper()
	f := s.compare()
	t.Log(s.report(f))
	assert.Zero(t, f.doubled, "orders that are booked more than once")
	assert.Empty(t, strings.Join(f.wrong, "\n"), "what an agent was told or believes and is not so")
	assert.Positive(t, s.tally.counts[string(done)])
	assert.Positive(t, s.tally.counts["looked"])
}

func (s *soak) report(f findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %d orders, %d agents, %v: doubled %d, told wrongly %d, booked too late for a closed round %d\n",
		s.seed, len(s.tasks), soakAgents, s.took.Round(time.Millisecond), f.doubled, len(f.wrong), s.book.Late())
	for _, what := range slices.Sorted(maps.Keys(s.tally.counts)) {
		fmt.Fprintf(&b, "  %6d %s\n", s.tally.counts[what], what)
	}
	met := map[ledger.Fault]int{}
	for _, at := range s.sites {
		for fault, n := range at.faults.Met() {
			met[fault] += n
		}
	}
	for _, fault := range slices.Sorted(maps.Keys(met)) {
		fmt.Fprintf(&b, "  %6d met: %s\n", met[fault], fault)
	}
	return b.String()
}
