package desk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
)

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
	seed uint64
	rush *rush

	mu     sync.Mutex
	noKeys bool // the gateway ignores them
	tried  map[int]int
	met    map[string]int
}

func newTrouble(seed uint64, r *rush) *trouble {
	return &trouble{seed: seed, rush: r, tried: map[int]int{}, met: map[string]int{}}
}

// chosenBy lets choose decide about each request.
func (s *service) chosenBy(choose func(*http.Request) fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.choose = choose
}

// choose returns the fault of a request. Where a server is to be killed, it does
// that.
func (t *trouble) choose(r *http.Request) fault {
	var ask refund
	var order int
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&ask) != nil {
		return none // the second is of a server that was killed while it wrote
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if t.withoutKeys() {
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

func (t *trouble) ignoreKeys() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noKeys = true
}

func (t *trouble) withoutKeys() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.noKeys
}

// next returns the fault of an order's next request, and how a server is killed
// with it.
func (t *trouble) next(order int) (f fault, kill string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.tried[order]
	t.tried[order]++
	dice := rand.New(rand.NewPCG(t.seed, uint64(order)<<16|uint64(n)))
	deadly, twice := order%killEvery == killEvery/2, order/killEvery%2 == 1
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

func (t *trouble) kills() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.met[killBefore] + t.met[killAfter]
}

func (t *trouble) survived() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(t.met)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", t.met[kind], kind))
	}
	return strings.Join(kinds, ", ")
}
