package ledger_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var (
	soakOrders = flag.Int("soak", 80, "number of orders in TestSoak, over all seeds")
	soakSeeds  = flag.Int("seeds", 1, "number of seeds of TestSoak, which determine the calls and the faults")
)

// soakAgents is how many agents call concurrently.
const soakAgents = 200

// TestSoak lets agents call tools of every safety, on servers with and without the middleware.
// Intermediaries lose, truncate, garble, repeat and replace messages, callers cancel, and servers
// are killed. Agents do as they are told: if the effect is none, they call again; if they are told
// to verify, they look at the ledger and continue accordingly. At the end, the ledger shows whether
// anything was done twice, and whether any agent was told something wrong.
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

// Hosts that repeat every failure book twice, which the comparison must find.
func TestSoak_StubbornHosts(t *testing.T) {
	t.Parallel()
	s := newSoak(t, 1, 100)
	for _, at := range s.sites {
		at.callers["stubborn"] = stubborn{at.callers["naive host"], s.book}
	}
	for _, k := range s.tasks {
		k.kind, k.tool, k.fate = "stubborn", ledger.Pay, ledger.TextFate(0)
	}
	s.run(t)
	assert.Positive(t, s.compare().doubled)
}

// A stubborn host repeats every failure, whatever it is told, until the order is booked twice.
type stubborn struct {
	ledger.Caller

	book *ledger.Book
}

// Call implements [ledger.Caller].
func (s stubborn) Call(ctx context.Context, tool string, args map[string]any) (told ledger.Answer) {
	for order := fmt.Sprint(args["order"]); ; {
		attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
		told = s.Caller.Call(attempt, tool, args)
		cancel()
		if told.Outcome.AsError() == nil || ctx.Err() != nil || len(s.book.Of(order)) > 1 {
			return told
		}
	}
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
	up := httptest.NewServer(ledger.Upstream(s.book, &ledger.Flaky{Store: &idempotency.MemoryStore{MaxSize: -1}}))
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
	for _, at := range s.sites { // the servers no longer book after this
		closing.Go(at.close)
	}
	closing.Wait()
}

// findings are the differences between the book and the agents' beliefs.
type findings struct {
	doubled int
	wrong   []string // wrong statements to agents, and wrong beliefs
}

// compare compares the agents' beliefs with the book.
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
			f.wrong = append(f.wrong, fmt.Sprintf("%s, %s, %s, %s, %q: %s, but booked %d times", k.order, k.site.name, k.kind,
				k.tool, k.fate, s.ends[n], booked))
		}
	}
	return f
}

func (s *soak) check(t *testing.T) {
	t.Helper()
	f := s.compare()
	t.Log(s.report(f))
	assert.Zero(t, f.doubled, "orders booked more than once")
	assert.Empty(t, strings.Join(f.wrong, "\n"), "wrong statements and beliefs")
	assert.Positive(t, s.tally.counts[string(done)])
	assert.Positive(t, s.tally.counts["looked"])
}

func (s *soak) report(f findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %d orders, %d agents, %v: doubled %d, wrong statements %d, refused in a closed round %d\n",
		s.seed, len(s.tasks), soakAgents, s.took.Round(time.Millisecond), f.doubled, len(f.wrong), s.book.Late())
	counts := maps.Clone(s.tally.counts)
	for _, at := range s.sites {
		for fault, n := range at.faults.Counts() {
			counts[fmt.Sprint("faults: ", fault)] += n
		}
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "  %6d %s\n", counts[what], what)
	}
	return b.String()
}

const chainParts = 3

type chainArgs struct {
	Order string `json:"order"`
	From  int    `json:"from,omitempty"`
	Key   string `json:"idempotency_key,omitempty"`
}

// payParts books one part of an order, and returns it as a partial result before the last.
func payParts(book *ledger.Remote) mcp.ToolHandlerFor[chainArgs, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in chainArgs) (*mcp.CallToolResult, any, error) {
		order := fmt.Sprintf("%s.%d", in.Order, in.From)
		if err := book.Add(ctx, ledger.Booking{Tool: "pay_parts", Order: order, Key: in.Key}); err != nil {
			return nil, nil, err
		}
		if in.From+1 < chainParts {
			return nil, nil, toolerr.Transient("More.").WithPartial(&toolerr.Partial{
				Processed: in.From + 1, Total: chainParts, ContinueFrom: in.From + 1,
				Results: json.RawMessage(fmt.Sprintf("[%d]", in.From)),
			})
		}
		return result.OK([]int{in.From}), nil, nil
	}
}

// TestChain continues partial results while sessions are lost, for some orders ten times in a
// row. No part is booked twice, also if the whole chain is repeated with its first key, and no
// chain is given up while attempts, time and budget are left.
func TestChain(t *testing.T) {
	t.Parallel()
	book, faults, p := new(ledger.Book), new(ledger.Faults), patient(ledger.TestPolicy())
	up := httptest.NewServer(book)
	defer up.Close()
	remote := &ledger.Remote{URL: up.URL, Client: ledger.Loopback()}
	server := mcp.NewServer(&mcp.Implementation{Name: "chains", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: p.Logger}))
	result.AddTool(server, &mcp.Tool{Name: "pay_parts"}, payParts(remote))
	faults.Choose = func(r ledger.Request) ledger.Fault {
		dice := diceOf(7, r.Args.Order, uint64(r.Seen)+1)
		if diceOf(7, r.Args.Order, 0).IntN(8) == 0 && r.Seen < 10 || dice.IntN(20) == 0 {
			return ledger.CutReply
		}
		return ledger.Pass
	}
	connect := connectTo(func() (mcp.Transport, error) { return ledger.InMemory(faults, server) })
	client := ledger.Callers["Client"](connect, p)
	defer client.Close()
	call := func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		arguments, _ := params.Arguments.(map[string]any)
		told := client.Call(ctx, params.Name, arguments)
		return told.Outcome, told.Decision
	}
	var agents sync.WaitGroup
	for agent := range 4 {
		agents.Go(func() {
			for n := agent; n < 40; n += 4 {
				arguments := map[string]any{"order": fmt.Sprint("ORD-", n)}
				if n%2 == 0 {
					arguments["idempotency_key"] = fmt.Sprint("key-", n)
				}
				for range 1 + (n+1)%2 {
					params := &mcp.CallToolParams{Name: "pay_parts", Arguments: arguments}
					out, d := retry.Resume(t.Context(), call, params, "from")
					assert.Equal(t, "accept [0,1,2]", testutil.Words(d.Action, out.Text()), "%v: %s", arguments, d.Reason)
				}
				for part := range chainParts {
					assert.Len(t, book.Of(fmt.Sprintf("ORD-%d.%d", n, part)), 1, "part %d of %d", part, n)
				}
			}
		})
	}
	agents.Wait()
	assert.Greater(t, faults.Counts()[ledger.CutReply], 40)
}

// patientAttempts is how often a patient caller tries.
const patientAttempts = 40

// patient returns a policy that outlasts many lost sessions. The agents share a session, so
// that the losses of one order interrupt the others.
func patient(p retry.Policy) retry.Policy {
	p.MaxAttempts, p.MaxDelay, p.MaxWait = patientAttempts, 5*time.Millisecond, time.Hour
	p.Budget = &retry.Budget{Size: -1}
	return p
}
