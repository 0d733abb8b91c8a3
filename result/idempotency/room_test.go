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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var manyKeys = flag.Int("keys", 50_000, "how many keys TestMemoryStore_Charge and BenchmarkMemoryPerKey remember")

// asked returns a request of a principal, like the handler's.
func asked(principal string) idempotency.Request {
	id := rand.Text() + rand.Text()
	return idempotency.Request{
		ID: id[:32], Principal: principal, Fingerprint: (rand.Text() + rand.Text())[:32], Owner: rand.Text(), Lease: time.Minute,
		Call: rand.Text(), Attempt: 1,
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

// A principal that floods the store loses its own answers, but never the marks of its calls, and is
// finally rejected. Other principals are not affected.
func TestMemoryStore_Flood(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := &idempotency.MemoryStore{MaxSize: 1 << 20}
	answer := []byte(strings.Repeat("answer ", 100))
	ann, err := done(t, s, "ann", answer)
	require.NoError(t, err)
	var flood []idempotency.Request
	for {
		r, err := done(t, s, "mallory", answer)
		if err != nil {
			assert.Equal(t, "transient unavailable none true", fmt.Sprint(toolerr.From(err).Category, " ", toolerr.From(err).Code, " ", toolerr.From(err).Effect, " ", toolerr.From(err).Retryable))
			break
		}
		flood = append(flood, r)
	}
	assert.Greater(t, len(flood), 10_000, "in half a MiB, where 400 answers would fit")
	for i, r := range flood {
		state := stateOf(t, s, r)
		assert.True(t, state == idempotency.StateDone || i > len(flood)-500 && state == idempotency.StateAnswered, "%d of %d: %s", i, len(flood), state)
	}
	r := flood[0]
	r.Fingerprint = "other arguments"
	assert.Equal(t, idempotency.StateConflict, stateOf(t, s, r))
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

	// The same through a server, which logs a warning before the store is full.
	c := new(till)
	opts := logged(&log)
	opts.Timeout = 0 // so that a slow machine does not fail the test
	session := testutil.Connect(t, c.serverWith(opts, &idempotency.Options{Store: &idempotency.MemoryStore{MaxSize: 32 << 10}}), nil)
	refused := 0
	for i := range 500 {
		before := log.String()
		out := charge(t, session, "charge", i, fmt.Sprint("k", i))
		if out.Err != nil {
			refused++
			assert.Contains(t, before, "three quarters of a principal's room")
			assert.Contains(t, before, "are dropped early")
			assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
			break
		}
	}
	assert.Equal(t, 1, refused)
	assert.Equal(t, 1, strings.Count(log.String(), "are dropped early"), "once, and not for each call")
}

// An expired record is treated as absent, and its room is freed.
func TestMemoryStore_MaxAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &idempotency.MemoryStore{MaxSize: 64 << 10, MaxAge: 8 * time.Hour}
		var first []idempotency.Request
		for range 200 {
			r, err := done(t, s, "ann", []byte("answer"))
			require.NoError(t, err)
			first = append(first, r)
		}
		running := asked("ann")
		running.Lease = 100 * time.Hour
		_, err := s.Claim(t.Context(), running)
		require.NoError(t, err)
		time.Sleep(8 * time.Hour) // in a bubble
		assert.Equal(t, idempotency.StateDone, stateOf(t, s, first[0]))
		assert.Equal(t, idempotency.StateAnswered, stateOf(t, s, first[199]))
		time.Sleep(time.Hour + 2*time.Second) // in a bubble
		assert.Equal(t, idempotency.StateClaimed, stateOf(t, s, first[199]))
		assert.Equal(t, idempotency.StateClaimed, stateOf(t, s, first[0]), "a mark is kept an eighth longer at most")
		assert.Equal(t, idempotency.StateRunning, stateOf(t, s, running))
	})
}

// A mark does not outlive a later claim of the same key.
func TestMemoryStore_MarkOfOldClaim(t *testing.T) {
	t.Parallel()
	s, r := &idempotency.MemoryStore{MaxSize: 2 * 700}, asked("ann")
	for _, effect := range []toolerr.Effect{toolerr.EffectUnknown, toolerr.EffectNone} {
		again := r
		again.Rerun = true
		again.Owner += string(effect)
		got, err := s.Claim(t.Context(), again)
		require.NoError(t, err)
		require.Equal(t, idempotency.StateClaimed, got.State)
		require.NoError(t, s.Finish(t.Context(), r.ID, again.Owner, idempotency.Ending{Effect: effect}))
		_, err = done(t, s, "ann", nil) // there is room for one record
		require.NoError(t, err)
	}
	assert.Equal(t, idempotency.StateClaimed, stateOf(t, s, r))
}

// Without limits no record expires.
func TestMemoryStore_Unbounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &idempotency.MemoryStore{MaxSize: -1, MaxAge: -1}
		r, err := done(t, s, "ann", make([]byte, 8<<20))
		require.NoError(t, err)
		time.Sleep(10 * 365 * 24 * time.Hour) // in a bubble
		assert.Equal(t, idempotency.StateAnswered, stateOf(t, s, r))
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
		"marks":        {*manyKeys * 2 * 50, 360, 48},
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

// A principal whose calls are rejected for lack of room uses none.
func TestMemoryStore_RejectedPrincipals(t *testing.T) { //nolint:paralleltest // it measures the heap
	s := &idempotency.MemoryStore{MaxSize: 100, MaxAge: -1}
	before := allocs.Heap()
	for i := range 20_000 {
		_, err := done(t, s, strings.Repeat("p", 100)+strconv.Itoa(i), nil)
		require.Error(t, err)
	}
	assert.Less(t, allocs.Heap()-before, 1<<20, "bytes, of 20,000 principals")
	runtime.KeepAlive(s)
}

func BenchmarkMemoryPerKey(b *testing.B) {
	for name, size := range map[string]int{"answers": -1, "marks": 0} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				b.ReportMetric(fill(b, &idempotency.MemoryStore{MaxSize: size}, *manyKeys, 360), "B/key")
			}
		})
	}
}

// The duration of one principal's call while another is idle, and while it floods a store that is
// full of its marks.
func BenchmarkFlood(b *testing.B) {
	for _, flooded := range []bool{false, true} {
		b.Run(fmt.Sprint("flooded=", flooded), func(b *testing.B) {
			s := &idempotency.MemoryStore{MaxSize: 64 << 20}
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			if flooded {
				for ended := false; !ended; {
					_, err := done(b, s, "mallory", make([]byte, 1000))
					ended = err != nil
				}
				go func() {
					for ctx.Err() == nil {
						_, _ = s.Claim(ctx, asked("mallory"))
					}
				}()
			}
			for b.Loop() {
				if _, err := done(b, s, "ann", make([]byte, 100)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
