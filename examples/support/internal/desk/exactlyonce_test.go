package desk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	refundCount = flag.Int("refunds", 100, "how many refunds the tests of ExactlyOnce ask for over each transport; with 1,000 or more, with and without keys")
	refundSeed  = flag.Uint64("seed", 1, "what decides which of them meet which fault")
)

const (
	agentCount  = 50
	serverCount = 5 // each one serves ten agents
	allFrom     = 1000
)

// TestExactlyOnce lets many agents ask for refunds while replies are lost and
// servers are killed. Their clients have the default policy. With keys, they send one with each
// refund, and repeat what fails. Without, they do not repeat a call that may have been done: the
// decision is verify, and the agents ask again only if nothing was done or will be. At the end the
// gateway's book, which has survived all of it, is compared with what the agents were told.
//
//	go test ./examples/support/internal/desk -run ExactlyOnce -v -refunds 10000
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		for _, keyed := range []bool{true, false} {
			if *refundCount < allFrom && keyed == (name == "http") {
				continue
			}
			t.Run(fmt.Sprint(name, ", keys: ", keyed), func(t *testing.T) {
				t.Parallel()
				safety := retry.SafetyOf
				if !keyed {
					safety = nil
				}
				r := newRush(t, start, safety, *refundCount)
				r.check(t, r.run(t))
				assert.Zero(t, r.tally.keyless, "calls that may have been done, without a key to repeat them with")
				assert.True(t, keyed || r.tally.verified > 0)
			})
		}
	}
}

// TestExactlyOnce_FindsDuplicates checks the comparison itself: a gateway that ignores
// the keys books twice.
func TestExactlyOnce_FindsDuplicates(t *testing.T) {
	t.Parallel()
	r := newRush(t, starts["stdio"], retry.SafetyOf, killEvery)
	r.trouble.noKeys = true
	r.payments.chosenBy(r.trouble.choose)
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
	r.trouble = &trouble{rush: r, tried: map[int]int{}, met: map[string]int{}}
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
	r.payments.mu.Lock()
	defer r.payments.mu.Unlock()
	return compare(told, r.payments.book)
}

func (r *rush) check(t *testing.T, f findings) {
	t.Helper()
	met, kills := r.trouble.survived()
	t.Logf("asked %d: booked %d, refused %d, doubled %d, lost %d, told wrongly %d, unfinished %d\n"+
		"calls %d, attempts %d, told to verify %d (%d were booked), told that nothing was done %d, out of budget %d, in %v\nsurvived: %s",
		len(r.wanted), f.booked, f.refused, f.doubled, f.lost, len(f.wrong)+len(r.tally.wrong), f.unfinished,
		r.tally.calls, r.tally.attempts, r.tally.verified, r.tally.found, r.tally.propagated, r.tally.broke, r.took.Round(time.Millisecond), strings.Join(met, ", "))
	assert.Zero(t, f.doubled, "refunds booked more than once")
	assert.Zero(t, f.lost, "refunds that an agent believes done and that are not booked")
	assert.Empty(t, append(f.wrong, r.tally.wrong...), "what an agent was told and is not so")
	assert.LessOrEqual(t, f.unfinished*100, len(r.wanted)*3, "three in a hundred may be unfinished")
	assert.Positive(t, kills)
}

// findings are what the book says to what the agents believe.
type findings struct {
	booked, refused, doubled, lost, unfinished int
	wrong                                      []string
}

// compare holds what the agents believe against the book.
func compare(told []belief, book []refund) findings {
	f := findings{booked: len(book)}
	of := map[string][]refund{}
	for _, r := range book {
		of[r.OrderID] = append(of[r.OrderID], r)
	}
	for _, b := range told {
		booked := of[b.want.OrderID]
		delete(of, b.want.OrderID)
		if len(booked) > 1 {
			f.doubled++
		}
		var right bool
		switch b.word {
		case done:
			if len(booked) == 0 {
				f.lost++
			}
			right = len(booked) > 0 && b.got == booked[0] && b.got.OrderID == b.want.OrderID && b.got.Amount == b.want.Amount
		case refused:
			f.refused++
			right = len(booked) == 0 && b.want.Amount > refundLimit
		case unfinished:
			f.unfinished++
			right = true
		}
		if !right {
			f.wrong = append(f.wrong, fmt.Sprintf("%+v, booked %+v", b, booked))
		}
	}
	for order, booked := range of {
		f.wrong = append(f.wrong, fmt.Sprintf("nobody wanted %s, booked %+v", order, booked))
	}
	return f
}

const (
	killBefore = "server killed before it was booked"
	killAfter  = "server killed after it was booked"

	killEvery  = 100 // refunds
	tooMuchIn  = 97  // one refund in so many is over the limit
	faultShare = 0.2 // of the requests for a refund
)

// common are the faults that a request can meet, each as likely as the others.
var common = []fault{stall, reset, throttle, down, lostReply, halfReply, late}

// wantedRefund is a refund whose amount tells it from its neighbours.
func wantedRefund(i int) refund {
	want := refund{OrderID: fmt.Sprintf("ORD-%d", i), Amount: float64(1+i%refundLimit) - 0.25}
	if i%tooMuchIn == tooMuchIn/2 {
		want.Amount = refundLimit + 100
	}
	return want
}

// Trouble is what goes wrong. The seed, the order, and how often its refund has
// reached the gateway decide it.
type trouble struct {
	rush   *rush
	noKeys bool // the gateway ignores them

	mu    sync.Mutex
	tried map[int]int
	met   map[string]int
}

// chosenBy lets choose decide about each request.
func (s *service) chosenBy(choose func(*http.Request) fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.choose = choose
}

// choose returns the fault of a request. Where a server is to be killed, it does that.
func (t *trouble) choose(r *http.Request) fault {
	var ask refund
	var order int
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&ask) != nil {
		return none // the second is of a server that was killed while it wrote
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if t.noKeys {
		ask.Key = ""
	}
	body, err := json.Marshal(ask)
	if _, bad := fmt.Sscanf(ask.OrderID, "ORD-%d", &order); err != nil || bad != nil {
		return reset
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	f, kill := t.next(order)
	if kill == killAfter {
		t.rush.payments.record(ask)
	}
	if kill != "" && !t.rush.servers[order%serverCount].kill() {
		kill = "" // it was dead already
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if f != none {
		t.met[cmp.Or(kill, string(f))]++
	}
	return f
}

// next returns the fault of an order's next request, and how a server is killed with it.
func (t *trouble) next(order int) (f fault, kill string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.tried[order]
	t.tried[order]++
	dice := rand.New(rand.NewPCG(*refundSeed, uint64(order)<<16|uint64(n)))
	deadly, twice := order%killEvery == killEvery/2, order/killEvery%2 == 0
	switch {
	case deadly && twice && n == 0:
		return reset, killBefore
	case deadly && twice && n == 1, deadly && n == 0:
		return reset, killAfter
	case dice.Float64() < faultShare:
		return common[dice.IntN(len(common))], ""
	}
	return none, ""
}

// survived returns what has gone wrong, and how often a server was killed.
func (t *trouble) survived() (kinds []string, kills int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, kind := range slices.Sorted(maps.Keys(t.met)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", t.met[kind], kind))
	}
	return kinds, t.met[killBefore] + t.met[killAfter]
}
