package sqlstore_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var refunds = flag.Int("refunds", 300, "number of refunds in TestExactlyOnce, for each database")

const (
	agents = 200
	// maxCalls is how many calls an agent makes for one refund, each with all attempts of
	// its client.
	maxCalls = 40
)

// TestExactlyOnce lets 200 agents request refunds from three server processes behind one
// address, which share one database. The processes are killed at every point of a claim,
// the work, the answer and the renewal. PostgreSQL, MariaDB and Redis crash twice, the second time for longer than a
// lease, and their connections are cut. The SQLite file is locked by others. For half of the refunds, only the store
// prevents a second booking. For the other half, the tool may run again because the book
// knows the key. At the end, the book is compared with what each agent was told.
//
//	go test . -run ExactlyOnce -v -refunds 10000
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		d := databases(t)["SQLite"]
		r := newScenario(t, d, *refunds)
		stop := r.repeatedly(func() { lockFor(t, d, rand.N(200*time.Millisecond)) })
		r.run(t)
		stop()
		r.check(t)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		crashing(t, server, func() (*database.Server, error) { return database.PostgreSQL(t.Context()) },
			func(addr string) place {
				return place{sqlstore.PostgreSQL, "pgx", database.PostgreSQLURL(addr)}
			})
	})
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		crashing(t, maria, func() (*database.Server, error) { return database.MariaDB(t.Context()) },
			func(addr string) place {
				return place{sqlstore.MySQL, "mysql", "root@tcp(" + addr + ")/mysql"}
			})
	})
	t.Run("Redis", func(t *testing.T) {
		t.Parallel()
		crashing(t, maria, func() (*database.Server, error) { return database.Redis(t.Context()) }, func(addr string) place {
			return place{driver: "redis", name: addr}
		})
	})
}

// crashing runs the test with a server of its own, which crashes twice and loses connections.
func crashing(
	t *testing.T, shared *database.Server, start func() (*database.Server, error), at func(addr string) place,
) {
	t.Helper()
	if shared == nil {
		// The same test runs with SQLite.
		t.Skip("the server is not installed")
	}
	own, err := start()
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	cuts := startCutter(t, own.Addr, 50_000)
	r := newScenario(t, at(cuts.Addr().String()), *refunds)
	crashed := 0
	r.done = func(n int) {
		if n == len(r.ends)/3 || n == len(r.ends)*2/3 {
			// at once, and for longer than a lease
			assert.NoError(t, own.Restart(t.Context(), time.Duration(crashed)*3*leases/2))
			crashed++
		}
	}
	r.run(t)
	r.check(t)
	assert.Equal(t, 2, crashed)
	t.Logf("the server crashed %d times, %d of its connections were cut", crashed, cuts.cut.Load())
}

// Agents that respond to an unknown effect with a new call book twice, and the comparison must find
// it.
func TestExactlyOnce_CarelessAgents(t *testing.T) {
	t.Parallel()
	r := newScenario(t, databases(t)["SQLite"], agents)
	r.careless = true
	r.run(t)
	assert.Positive(t, r.compare().doubled)
}

// lockFor blocks other writers of a SQLite file for a while.
func lockFor(t *testing.T, d place, pause time.Duration) {
	conn, err := d.open(t, "").DB.Conn(context.Background())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err == nil {
		// Other connections wait for this lock.
		time.Sleep(pause)
		_, _ = conn.ExecContext(context.Background(), "ROLLBACK")
	}
}

type end string

const (
	done       end = "done"
	found      end = "found in the book"
	unfinished end = "unfinished"
)

// A scenario is a number of agents that request refunds concurrently.
type scenario struct {
	book     *ledger.Book
	cluster  *cluster
	clients  []*retry.Client
	ends     []end
	careless bool
	done     func(n int)
	finished atomic.Int64
	took     time.Duration

	mu     sync.Mutex
	counts map[string]int
	wrong  []string
}

func newScenario(t *testing.T, d place, n int) *scenario {
	t.Helper()
	r := &scenario{
		book: new(ledger.Book), ends: make([]end, max(n, 2*agents/10)), counts: map[string]int{},
		done: func(int) {},
	}
	up := httptest.NewServer(r.book)
	t.Cleanup(up.Close)
	// A refund has some eight points, and there is one kill for fifty refunds.
	r.cluster = startCluster(t, role{
		Book: up.URL, Driver: d.driver, Name: d.name, Dialect: d.dialect,
		KillOneIn: max(150, min(n, 800)),
	})
	for range agents { // the budget of ten of them would hardly allow a retry
		client := &retry.Client{
			Safety: retry.SafetyOf,
			Policy: retry.Policy{AttemptTimeout: 4 * time.Second, Logger: slog.New(slog.DiscardHandler)},
			Connect: func(ctx context.Context) (retry.ClientSession, error) {
				return ledger.NewClient().Connect(ctx,
					&mcp.StreamableClientTransport{Endpoint: r.cluster.front.URL, DisableStandaloneSSE: true}, nil)
			},
		}
		t.Cleanup(func() { _ = client.Close() })
		r.clients = append(r.clients, client)
	}
	return r
}

// repeatedly calls trouble repeatedly until stop is called.
func (r *scenario) repeatedly(fault func()) (stop func()) {
	ended := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(rand.N(time.Second)):
				fault()
			}
		}
	})
	return func() {
		close(ended)
		group.Wait()
	}
}

func (r *scenario) run(t *testing.T) {
	t.Helper()
	started := time.Now()
	stop := r.repeatedly(func() {
		if rand.IntN(8) == 0 {
			r.cluster.killOne()
		}
	})
	var group sync.WaitGroup
	for i := range agents {
		group.Go(func() {
			for n := i; n < len(r.ends); n += agents {
				r.ends[n] = r.ask(t.Context(), r.clients[i], n)
				r.done(int(r.finished.Add(1)))
			}
		})
	}
	group.Wait()
	stop()
	r.took = time.Since(started)
	for _, client := range r.clients {
		_ = client.Close()
	}
	r.cluster.close()
}

func order(n int) string { return fmt.Sprintf("ORD-%d", n) }

func (r *scenario) count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[what]++
}

// expect records a wrong statement to an agent if ok is false.
func (r *scenario) expect(ok bool, format string, args ...any) {
	if !ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
}

// ask requests a refund until the agent knows how it ended. The agent does as it is told.
func (r *scenario) ask(ctx context.Context, client *retry.Client, n int) end {
	if isChain(n) && !r.careless {
		return r.askInParts(ctx, client, n)
	}
	tool := []string{ledger.PayKept, ledger.PayOnce}[n%2]
	round, key := 0, ""
	doubt := false // an earlier call of this round may have taken effect
	for range maxCalls {
		args := map[string]any{"order": order(n), "round": round}
		if key != "" {
			args["idempotency_key"] = key
		}
		out, d := client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		r.count("calls")
		if d.Action == retry.ActionAccept {
			got, err := result.Decode[ledger.Receipt](out)
			r.expect(err == nil && got.Receipt == "R-"+order(n) && r.bookedIn(n, round), "%s was told that it is done: %s",
				order(n), out.Text())
			return done
		}
		r.see(out, d)
		r.expect(key == "" || out.Err.IdempotencyKey == key, "%s: another key: %s", order(n), out.Text())
		key = out.Err.IdempotencyKey
		switch {
		case r.careless: // a new call, as if nothing had been done: without a key, it would get the same one again
			key = fmt.Sprint("new-", rand.Uint64())
		case d.Action == retry.ActionVerify:
			if len(r.book.CloseRound(order(n), round)) > 0 {
				return found
			}
			round, key, doubt = round+1, "", false // nothing was done in this round, and nothing will be
		case out.Err.Effect == toolerr.EffectNone:
			r.expect(doubt || !r.bookedIn(n, round), "%s was told that nothing was done: %s", order(n), out.Text())
		default:
			doubt = true
		}
		// A killed server needs real time to restart.
		time.Sleep(leases / 3)
	}
	return unfinished
}

// isChain reports whether a refund is made in parts, of which the answers are continued.
func isChain(n int) bool { return n%10 == 9 }

// askInParts requests a refund in parts, again with the key of the first part until it is done.
func (r *scenario) askInParts(ctx context.Context, client *retry.Client, n int) end {
	for range maxCalls {
		r.count("chains")
		out, d := retry.Resume(ctx, client.CallTool, &mcp.CallToolParams{
			Name: "pay_parts", Arguments: map[string]any{"order": order(n), "idempotency_key": "chain-" + order(n)},
		}, "from")
		if d.Action == retry.ActionAccept {
			r.expect(out.Text() == "[0,1,2]", "%s was told: %s", order(n), out.Text())
			return done
		}
		r.count("chains told to " + d.Action.String() + " (" + string(d.Reason) + ")")
		// A killed server needs real time to restart.
		time.Sleep(leases / 3)
	}
	return unfinished
}

// bookedIn reports whether a refund is booked in a round.
func (r *scenario) bookedIn(n, round int) bool {
	return slices.ContainsFunc(r.book.Of(order(n)), func(b ledger.Booking) bool { return b.Round == round })
}

// see counts a failure that an agent received.
func (r *scenario) see(out result.Outcome, d retry.Decision) {
	r.count("told to " + d.Action.String() + " (" + string(d.Reason) + ")")
	if strings.Contains(out.Err.Message, "has left no answer") {
		r.count("told that the claim is abandoned")
		r.expect(out.Err.Effect == toolerr.EffectUnknown && !out.Err.Retryable && d.Action == retry.ActionVerify,
			"abandoned claim: %s", out.Text())
	}
}

// findings are the differences between the book and the agents' beliefs.
type findings struct{ doubled, lost, unfinished int }

func (r *scenario) compare() (f findings) {
	for n, end := range r.ends {
		most, booked := len(r.book.Of(order(n))), len(r.book.Of(order(n)))
		if isChain(n) && !r.careless {
			most, booked = 0, chainParts
			for i := range chainParts {
				parts := len(r.book.Of(part(order(n), i)))
				most, booked = max(most, parts), min(booked, parts)
			}
		}
		if most > 1 {
			f.doubled++
		}
		switch {
		case end == unfinished:
			f.unfinished++
		case booked == 0:
			f.lost++
		}
	}
	return f
}

func (r *scenario) check(t *testing.T) {
	t.Helper()
	f := r.compare()
	t.Log(r.report(f))
	assert.Zero(t, f.doubled, "refunds booked more than once")
	assert.Zero(t, f.lost, "refunds reported as done but not booked")
	assert.Empty(t, r.wrong, "wrong statements")
	assert.LessOrEqual(t, f.unfinished*100, len(r.ends), "unfinished refunds")
	assert.Positive(t, r.counts["chains"])
	assert.NotEmpty(t, r.cluster.killed, "killed servers")
}

func (r *scenario) report(f findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d refunds, %d agents, %v: doubled %d, lost %d, wrong statements %d, unfinished %d\n",
		len(r.ends), agents, r.took.Round(time.Millisecond), f.doubled, f.lost, len(r.wrong), f.unfinished)
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&b, "  %6d %s\n", r.counts[what], what)
	}
	for _, where := range slices.Sorted(maps.Keys(r.cluster.killed)) {
		fmt.Fprintf(&b, "  %6d servers killed: %s\n", r.cluster.killed[where], where)
	}
	return b.String()
}
