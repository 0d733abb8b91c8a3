package idempotency_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var manyKeys = flag.Int("keys", 20_000, "how many keys TestMemoryStore_Charge remembers")

// asked returns a request of a principal, like the handler's.
func asked(principal string) idempotency.Request {
	id := rand.Text() + rand.Text()
	return idempotency.Request{
		ID: id[:32], Principal: principal, Fingerprint: (rand.Text() + rand.Text())[:32], Owner: rand.Text(),
		Lease: time.Minute,
		Call:  rand.Text(), Attempt: 1,
	}
}

// done makes a call with a new key, and returns the request.
func done(tb testing.TB, s idempotency.Store, principal string, answer []byte) (r idempotency.Request, err error) {
	tb.Helper()
	r = asked(principal)
	got, err := s.Claim(tb.Context(), r)
	if err != nil {
		return r, err
	}
	require.Equal(tb, idempotency.StateClaimed, got.State)
	return r, s.Finish(tb.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer})
}

func stateOf(tb testing.TB, s idempotency.Store, r idempotency.Request) idempotency.State {
	tb.Helper()
	r.Owner = rand.Text()
	r.Attempt = 0
	got, err := s.Claim(tb.Context(), r)
	require.NoError(tb, err)
	return got.State
}

// A principal that floods the store loses its own answers, but never that its calls were made, and is
// finally rejected. Other principals are not affected.
func TestMemoryStore_Flood(t *testing.T) {
	t.Parallel()
	s := &idempotency.MemoryStore{MaxSize: 1 << 20}
	answer := []byte(strings.Repeat("answer ", 100))
	ann, err := done(t, s, "ann", answer)
	require.NoError(t, err)
	var flood []idempotency.Request
	for {
		r, err := done(t, s, "mallory", answer)
		if err != nil {
			e := toolerr.From(err)
			assert.Equal(t, "transient unavailable none true",
				fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.Retryable))
			break
		}
		flood = append(flood, r)
	}
	assert.Len(t, flood, 909, "in half a MiB, where 400 answers would fit")
	for i, r := range flood {
		state := stateOf(t, s, r)
		assert.True(t, state == idempotency.StateDone || i > len(flood)-500 && state == idempotency.StateAnswered,
			"%d of %d: %s", i, len(flood), state)
	}
	flood[0].Fingerprint = "other arguments"
	assert.Equal(t, idempotency.StateConflict, stateOf(t, s, flood[0]))
	assert.Equal(t, idempotency.StateAnswered, stateOf(t, s, ann), "one principal does not evict another's answer")
	for range 200 {
		ann, err = done(t, s, "ann", answer)
		require.NoError(t, err, "one principal does not lock out another")
		assert.Equal(t, idempotency.StateAnswered, stateOf(t, s, ann))
	}
	for i := range 5 {
		_, err := done(t, s, fmt.Sprint("newcomer ", i), answer)
		require.NoError(t, err)
	}
	// half of 128 MiB
	for size, want := range map[int]idempotency.State{
		1<<26 - 576: idempotency.StateAnswered, 1<<26 - 575: idempotency.StateDone,
	} {
		s = new(idempotency.MemoryStore)
		ann, err = done(t, s, "ann", make([]byte, size))
		require.NoError(t, err)
		assert.Equal(t, want, stateOf(t, s, ann))
	}
	s = &idempotency.MemoryStore{MaxSize: 2 * 576} // room for a call
	for range 3 {
		r := asked("ann")
		_, err := s.Claim(t.Context(), r)
		require.NoError(t, err, "what had no effect is dropped")
		require.NoError(t, s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectNone}))
	}
}

// A call is remembered until the first sweep after MaxAge, and there are eight in that time.
func TestMemoryStore_Sweep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := new(idempotency.MemoryStore)
		r, err := done(t, s, "ann", []byte("answer"))
		require.NoError(t, err)
		for _, after := range []time.Duration{24 * time.Hour, 3*time.Hour - 1} {
			time.Sleep(after) // in a bubble
			assert.Equal(t, idempotency.StateAnswered, stateOf(t, s, r), after)
		}
		time.Sleep(time.Nanosecond) // in a bubble
		assert.Equal(t, idempotency.StateClaimed, stateOf(t, s, r))
	})
}

// fill makes calls, and returns the growth of the heap for each call.
func fill(tb testing.TB, s *idempotency.MemoryStore, n, answer int) float64 {
	tb.Helper()
	before := allocs.Heap()
	for i := range n {
		_, err := done(tb, s, "ann", make([]byte, answer))
		require.NoError(tb, err, i)
	}
	grown := allocs.Heap() - before
	runtime.KeepAlive(s)
	return float64(grown) / float64(n)
}

// The store uses at most the memory that it accounts for, and at least half of it.
func TestMemoryStore_Charge(t *testing.T) { //nolint:paralleltest // it measures the heap
	for name, c := range map[string]struct {
		size, answer int
		want         float64 // accounted for each call
	}{
		"with answers": {-1, 360, 936},
		"dropped":      {*manyKeys * 2 * 600, 360, 576},
	} {
		grown := make([]float64, 3)
		for i := range grown {
			grown[i] = fill(t, &idempotency.MemoryStore{MaxSize: c.size}, *manyKeys, c.answer)
		}
		slices.Sort(grown)
		got := grown[1] // what earlier tests have left and is freed meanwhile is in another
		t.Logf("%s: %.0f bytes for each of %d keys", name, got, *manyKeys)
		assert.LessOrEqual(t, got, c.want*1.1, name)
		assert.GreaterOrEqual(t, got, c.want/2, name)
	}
}

// A principal whose calls are rejected for lack of room, or have expired, uses none.
func TestMemoryStore_RejectedPrincipals(t *testing.T) { //nolint:paralleltest // it measures the heap
	for _, s := range []*idempotency.MemoryStore{{MaxSize: 2*576 - 1, MaxAge: -1}, {MaxAge: 1}} {
		before := allocs.Heap()
		for i := range 20_000 {
			_, err := done(t, s, strings.Repeat("p", 100)+strconv.Itoa(i), nil)
			require.Equal(t, s.MaxSize > 0, err != nil)
		}
		assert.Less(t, allocs.Heap()-before, 1<<20, "bytes, of 20,000 principals")
		runtime.KeepAlive(s)
	}
}

// charged calls a handler with the key of a number.
func charged(tb testing.TB, h mcp.ToolHandlerFor[chargeIn, chargeOut], number int) {
	tb.Helper()
	key := fmt.Sprintf("4f0c2a9e-0d8b-4a3e-9f5d-%012d", number)
	req := requestOf(fmt.Sprintf(`{"cents":40,"idempotency_key":"%s"}`, key))
	_, _, err := h(context.Background(), req, chargeIn{40, key})
	require.NoError(tb, err)
}

// A call with a key has at most this many allocations in addition to its handler's.
func TestHandler_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	wrapped, number := idempotency.Handler(fresh(nil), new(till).charge), 0
	alone := allocs.Fewest(func() { number++; charged(t, new(till).charge, number) })
	require.Positive(t, alone)
	allocs.AtMost(t, alone+92, func() { number++; charged(t, wrapped, number) }, "the first call")
	allocs.AtMost(t, alone+69, func() { charged(t, wrapped, number) }, "its repeat")
}
