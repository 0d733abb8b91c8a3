//go:build unix

package redisstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/redisstore"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// server is the server of all tests but those that restart one, or nil.
var server *database.Server

func TestMain(m *testing.M) {
	var err error
	server, err = database.Redis(context.Background())
	if err != nil && !errors.Is(err, database.ErrMissing) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if server != nil {
		server.Stop()
	}
	os.Exit(status)
}

// clientOf returns a client, or skips the test.
func clientOf(t *testing.T, s *database.Server) *redis.Client {
	t.Helper()
	if s == nil {
		// The package has no other server.
		t.Skip("Redis is not installed")
	}
	client := redis.NewClient(&redis.Options{Addr: s.Addr, MaxRetries: 10})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// newStore returns a store whose keys no other test uses.
func newStore(t *testing.T) *redisstore.Store {
	t.Helper()
	return &redisstore.Store{Client: clientOf(t, server), Prefix: t.Name() + rand.Text()}
}

func request() idempotency.Request {
	return idempotency.Request{ID: rand.Text(), Principal: "p", Fingerprint: "f", Owner: rand.Text(), Lease: time.Minute}
}

func again(r idempotency.Request) idempotency.Request {
	r.Owner = rand.Text()
	return r
}

func claim(t *testing.T, s idempotency.Store, r idempotency.Request) idempotency.Claim {
	t.Helper()
	got, err := s.Claim(t.Context(), r)
	require.NoError(t, err)
	return got
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	resulttest.TestStore(t, func() idempotency.Store { return s })
}

// A server that may drop keys is refused.
func TestStore_Check(t *testing.T) {
	t.Parallel()
	require.NoError(t, newStore(t).Check(t.Context()))
	for want, options := range map[string][]string{
		"set appendonly to yes": {"--appendonly", "no"},
		`is "allkeys-lru"`:      {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"},
	} {
		careless, err := database.Redis(t.Context(), options...)
		require.NoError(t, err)
		t.Cleanup(careless.Stop)
		require.ErrorContains(t, (&redisstore.Store{Client: clientOf(t, careless)}).Check(t.Context()), want)
	}
	require.ErrorContains(t, (&redisstore.Store{MaxAge: 24}).Check(t.Context()), "give it a unit")
	s := new(redisstore.Store)
	_, err := s.Claim(t.Context(), request())
	for _, err := range []error{
		err, s.Check(t.Context()), s.Renew(t.Context(), "i", "o", time.Second),
		s.Finish(t.Context(), "i", "o", idempotency.Ending{}),
	} {
		assert.ErrorContains(t, err, "set Store.Client")
	}
}

// One principal fills only its own room. Its known keys are answered all the same, and what has
// expired makes room.
func TestStore_MaxCalls(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.MaxCalls, s.MaxAge = 3, time.Millisecond
	for i := range 4 { // calls that an earlier server may have lost count too
		lost := request()
		lost.Principal, lost.UnknownFor = "lost", time.Hour
		_, err := s.Claim(t.Context(), lost)
		assert.Equal(t, i == 3, errors.Is(err, idempotency.ErrFull), err)
	}
	first := request()
	first.Lease = 300 * time.Millisecond
	for _, r := range []idempotency.Request{first, request(), request()} {
		require.Equal(t, idempotency.StateClaimed, claim(t, s, r).State)
	}
	refused := request()
	_, err := s.Claim(t.Context(), refused)
	require.ErrorIs(t, err, idempotency.ErrFull)
	assert.Equal(t, idempotency.StateRunning, claim(t, s, again(first)).State, "a repeat")
	modest := request()
	modest.Principal = "modest"
	assert.Equal(t, idempotency.StateClaimed, claim(t, s, modest).State)
	require.Eventually(t, func() bool {
		got, err := s.Claim(t.Context(), refused)
		return err == nil && got.State == idempotency.StateClaimed
	}, testutil.Patience, 20*time.Millisecond, "a call has expired")
}

// A call expires by the server's clock, and its key is new then.
func TestStore_MaxAge(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.MaxAge = 50 * time.Millisecond
	r := request()
	r.Lease = time.Millisecond
	require.Equal(t, idempotency.StateClaimed, claim(t, s, r).State)
	require.NoError(t, s.Finish(t.Context(), r.ID, r.Owner,
		idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte("a")}))
	require.Eventually(t, func() bool { return claim(t, s, again(r)).State == idempotency.StateClaimed },
		testutil.Patience, 10*time.Millisecond)
	s = newStore(t)
	s.MaxAge, s.MaxAnswer = -1, 10
	require.Equal(t, idempotency.StateClaimed, claim(t, s, r).State)
	require.ErrorContains(t, s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Answer: make([]byte, 11)}),
		"Store.MaxAnswer is 10")
	require.NoError(t, s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied}))
	assert.Equal(t, idempotency.StateDone, claim(t, s, again(r)).State)
}

// An operator ends a call whose server has died.
func TestStore_Resolve(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for effect, want := range map[toolerr.Effect]idempotency.State{
		toolerr.EffectApplied: idempotency.StateDone,
		toolerr.EffectNone:    idempotency.StateClaimed,
	} {
		r := request()
		claim(t, s, r)
		require.ErrorIs(t, s.Resolve(t.Context(), r.ID, effect), idempotency.ErrLost, "it runs")
		require.NoError(t, s.Finish(t.Context(), r.ID, r.Owner,
			idempotency.Ending{Effect: toolerr.EffectUnknown, Answer: []byte("?")}))
		for range 2 { // its reply may be lost
			require.NoError(t, s.Resolve(t.Context(), r.ID, effect))
		}
		require.ErrorIs(t, s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectNone}),
			idempotency.ErrLost, "a server that lives")
		assert.Equal(t, want, claim(t, s, again(r)).State, effect)
	}
	require.ErrorIs(t, s.Resolve(t.Context(), "unknown", toolerr.EffectNone), idempotency.ErrLost)
	require.ErrorIs(t, s.Resolve(t.Context(), "unknown", ""), idempotency.ErrLost)
}

// A server that has started since an attempt may have lost it, and an outage is one.
func TestStore_Restart(t *testing.T) {
	t.Parallel()
	if server == nil {
		// The package has no other server.
		t.Skip("Redis is not installed")
	}
	own, err := database.Redis(t.Context())
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	s := &redisstore.Store{Client: clientOf(t, own)}
	kept := request()
	claim(t, s, kept)
	require.NoError(t, own.Restart(t.Context(), 0))
	assert.Equal(t, idempotency.StateRunning, claim(t, s, again(kept)).State, "a crash of the process loses nothing")
	lost := request()
	lost.UnknownFor = time.Hour
	assert.Equal(t, idempotency.StateAbandoned, claim(t, s, lost).State)
	lost.UnknownFor = 0
	assert.Equal(t, idempotency.StateAbandoned, claim(t, s, again(lost)).State, "it is remembered")
	lost.Rerun = true
	assert.Equal(t, idempotency.Claim{State: idempotency.StateClaimed, Effect: toolerr.EffectUnknown},
		claim(t, s, again(lost)))
	own.Stop()
	_, err = (&redisstore.Store{Client: redis.NewClient(&redis.Options{Addr: own.Addr, MaxRetries: -1})}).
		Claim(t.Context(), request())
	e := toolerr.From(err)
	assert.Equal(t, "transient unavailable  1s", fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.RetryAfter),
		err)
}
