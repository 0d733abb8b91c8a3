package ledger_test

import (
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

// check compares what the agents believe with the book.
func (s *soak) check(t *testing.T) {
	t.Helper()
	doubled := 0
	wrong := slices.Clone(s.tally.wrong)
	for n, k := range s.tasks {
		booked := s.book.Of(k.order)
		if len(booked) > 1 {
			doubled++
			t.Errorf("doubled: %s, %s, %s, %s, %q: %v", k.order, k.site.name, k.kind, k.tool, k.fate, booked)
		}
		s.tally.count(string(s.ends[n]))
		switch {
		case k.tool == ledger.Look:
		case (s.ends[n] == done || s.ends[n] == found) && len(booked) == 0:
			wrong = append(wrong, fmt.Sprintf("%s, %s, %s, %s, %q: believed %s, and not booked", k.order, k.site.name, k.kind, k.tool, k.fate, s.ends[n]))
		case s.ends[n] == notDone && len(booked) > 0:
			wrong = append(wrong, fmt.Sprintf("%s, %s, %s, %s, %q: believed not done, and booked", k.order, k.site.name, k.kind, k.tool, k.fate))
		}
	}
	t.Log(s.report(doubled, len(wrong)))
	assert.Zero(t, doubled, "orders that are booked more than once")
	assert.Empty(t, wrong, "what an agent was told and is not so")
	assert.Positive(t, s.tally.counts[string(done)])
	assert.Positive(t, s.tally.counts["looked"])
}

func (s *soak) report(doubled, wrong int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %d orders, %d agents, %v: doubled %d, told wrongly %d, booked too late for a settled round %d\n",
		s.seed, len(s.tasks), soakAgents, s.took.Round(time.Millisecond), doubled, wrong, s.book.Late())
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
