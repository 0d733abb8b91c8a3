package idempotency_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s idempotency.MemoryStore
		ctx := t.Context()
		claim := func(id string) idempotency.Claim {
			c, err := s.Claim(ctx, id, "f")
			require.NoError(t, err)
			return c
		}
		ours := idempotency.Claim{State: idempotency.StateClaimed}
		running := idempotency.Claim{State: idempotency.StateRunning, Record: idempotency.Record{Fingerprint: "f"}}
		answered := idempotency.Claim{State: idempotency.StateAnswered, Record: idempotency.Record{Fingerprint: "f", Answer: []byte("{}")}}
		assert.Equal(t, ours, claim("a"))
		assert.Equal(t, running, claim("a"))
		require.NoError(t, s.Finish(ctx, "a", []byte("{}")))
		assert.Equal(t, answered, claim("a"))
		require.NoError(t, s.Release(ctx, "a"))
		assert.Equal(t, ours, claim("a"))
		require.NoError(t, s.Finish(ctx, "a", []byte("{}")))
		require.NoError(t, s.Finish(ctx, "nobody", []byte("{}")))
		require.NoError(t, s.Release(ctx, "nobody"))
		assert.Equal(t, ours, claim("again"))
		require.NoError(t, s.Reopen(ctx, "again"))
		other, err := s.Claim(ctx, "again", "other arguments")
		require.NoError(t, err)
		assert.Equal(t, running, other, "it is for the same call alone")
		assert.Equal(t, ours, claim("again"))
		assert.Equal(t, running, claim("again"), "and for one at a time")
		require.NoError(t, s.Reopen(ctx, "again"))
		require.NoError(t, s.Reopen(ctx, "a"), "what has an answer keeps it")
		assert.Equal(t, answered, claim("a"))
		assert.Equal(t, ours, claim("running"))
		time.Sleep(24 * time.Hour)
		assert.Equal(t, answered, claim("a"))
		time.Sleep(time.Second)
		assert.Equal(t, ours, claim("a"), "an answer is forgotten after a day")
		assert.Equal(t, running, claim("running"), "what is running is not")
		other, err = s.Claim(ctx, "again", "other arguments")
		require.NoError(t, err)
		assert.Equal(t, ours, other, "nor is a key kept for ever that nobody uses again")
	})
}

// A negative bound is none.
func TestMemoryStore_Unbounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := idempotency.MemoryStore{MaxSize: -1, MaxAge: -1}
		_, err := s.Claim(t.Context(), "a", "f")
		require.NoError(t, err)
		long := bytes.Repeat([]byte("long"), 2<<20)
		require.NoError(t, s.Finish(t.Context(), "a", long), "longer than a store with the default bound takes")
		time.Sleep(10 * 365 * 24 * time.Hour)
		known, err := s.Claim(t.Context(), "a", "f")
		require.NoError(t, err)
		assert.Equal(t, idempotency.StateAnswered, known.State)
	})
}

func TestMemoryStore_MaxSize(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := idempotency.MemoryStore{MaxSize: 64 << 10}
		ctx := t.Context()
		claimed := func(id string) bool {
			r, err := s.Claim(ctx, id, "f")
			if err != nil {
				assert.Equal(t, toolerr.CodeUnavailable, toolerr.CodeOf(err))
			}
			return err == nil && r.State == idempotency.StateClaimed
		}
		for i := range 64 {
			require.True(t, claimed(fmt.Sprint(i)))
		}
		assert.False(t, claimed("64"), "all of them are running")
		long := []byte(strings.Repeat("long", 1000))
		for i := range 63 {
			require.NoError(t, s.Finish(ctx, fmt.Sprint(i), []byte("short")), "a short answer is always taken")
		}
		require.Error(t, s.Finish(ctx, "63", long), "there is no room for a long one")
		time.Sleep(10*time.Minute - 1)
		assert.False(t, claimed("64"), "an answer is kept for ten minutes at least")
		time.Sleep(time.Nanosecond)
		require.NoError(t, s.Finish(ctx, "63", long))
		require.NoError(t, s.Finish(ctx, "63", long), "a second time changes nothing")
		require.Error(t, s.Finish(ctx, "63", []byte(strings.Repeat("too long", 600))), "nor does one that is too long for the store")
		for i := range 4 { // the long one has cost as many
			assert.True(t, claimed(fmt.Sprint(i)), "the oldest are forgotten")
			require.NoError(t, s.Release(ctx, fmt.Sprint(i)))
		}
		assert.False(t, claimed("62"), "the youngest stay")
		assert.False(t, claimed("63"))
	})
}

// What counts is when an answer was given, not when the call began.
func TestMemoryStore_AgeOfAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := idempotency.MemoryStore{MaxAge: time.Minute}
		_, err := s.Claim(t.Context(), "a", "f")
		require.NoError(t, err)
		time.Sleep(time.Hour)
		require.NoError(t, s.Finish(t.Context(), "a", []byte("{}")))
		r, err := s.Claim(t.Context(), "a", "f")
		require.NoError(t, err)
		assert.Equal(t, idempotency.StateAnswered, r.State)
	})
}

// A lame store fails when it is told to.
type lameStore struct {
	idempotency.MemoryStore

	claim, finish, release error
}

func (s *lameStore) Claim(ctx context.Context, id, fingerprint string) (idempotency.Claim, error) {
	if s.claim != nil {
		return idempotency.Claim{}, s.claim
	}
	return s.MemoryStore.Claim(ctx, id, fingerprint)
}

func (s *lameStore) Finish(ctx context.Context, id string, answer []byte) error {
	if s.finish != nil {
		return s.finish
	}
	return s.MemoryStore.Finish(ctx, id, answer)
}

func (s *lameStore) Reopen(ctx context.Context, id string) error {
	if s.release != nil {
		return s.release
	}
	return s.MemoryStore.Reopen(ctx, id)
}

func (s *lameStore) Release(ctx context.Context, id string) error {
	if s.release != nil {
		return s.release
	}
	return s.MemoryStore.Release(ctx, id)
}

// A store that returns neither a state nor an error has failed.
func TestHandler_StoreWithoutState(t *testing.T) {
	t.Parallel()
	store, c := &stateless{}, new(till)
	session := testutil.Connect(t, c.server(&idempotency.Options{Store: store}), nil)
	out := charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal none", string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.Zero(t, c.ran.Load())

	store.state = "from a later version"
	out = charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal unknown", string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.Zero(t, c.ran.Load())
}

// A stateless store gives back the fingerprint, and one state for every id.
type stateless struct {
	idempotency.MemoryStore

	state idempotency.State
}

func (s *stateless) Claim(_ context.Context, _, fingerprint string) (idempotency.Claim, error) {
	return idempotency.Claim{State: s.state, Record: idempotency.Record{Fingerprint: fingerprint}}, nil
}

// A store that fails costs an answer, never a second charge.
func TestHandler_StoreThatFails(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	store, c := &lameStore{claim: errors.New(secret)}, new(till)
	session := testutil.Connect(t, c.serverWith(logged(&log), &idempotency.Options{Store: store, Wait: -1}), nil)
	out := charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal none k", string(out.Err.Code)+" "+string(out.Err.Effect)+" "+out.Err.IdempotencyKey)
	assert.Zero(t, c.ran.Load())

	store.claim, store.finish = nil, errors.New(secret)
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), "it was carried out")
	out = charge(t, session, "charge", 40, "k")
	assert.Equal(t, toolerr.CodeUnavailable, out.Err.Code)
	assert.Equal(t, int64(1), c.ran.Load())
	assert.Contains(t, log.String(), "an idempotency key stays claimed")
	assert.NotContains(t, log.String(), "hunter2")

	store.finish = nil
	c.ends = func(context.Context, int64) error { return toolerr.Transient("m").WithEffect(toolerr.EffectNone) }
	store.release = errors.New(secret)
	require.Error(t, charge(t, session, "charge", 40, "k2").AsError())
	assert.Equal(t, toolerr.CodeUnavailable, charge(t, session, "charge", 40, "k2").Err.Code)
	assert.Equal(t, int64(2), c.ran.Load())
}

// An answer that the store has no room for is replaced with a short one.
func TestHandler_LongAnswer(t *testing.T) {
	t.Parallel()
	c := new(till)
	session := testutil.Connect(t, c.serverWith(logged(new(strings.Builder)), &idempotency.Options{Store: &idempotency.MemoryStore{MaxSize: 1 << 10}}), nil)
	c.ends = func(context.Context, int64) error {
		return toolerr.Business(strings.Repeat("long ", 400)).WithEffect(toolerr.EffectUnknown)
	}
	first, second := charge(t, session, "charge", 40, "k"), charge(t, session, "charge", 40, "k")
	assert.Contains(t, first.Err.Message, "long")
	assert.Equal(t, toolerr.EffectUnknown, second.Err.Effect)
	assert.Contains(t, second.Err.Message, "made before")
	assert.Equal(t, int64(1), c.ran.Load())
}
