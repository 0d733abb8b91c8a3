package result_test

import (
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
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s result.MemoryStore
		ctx := t.Context()
		claim := func(id string) *result.KeyRecord {
			r, err := s.Claim(ctx, id, "f")
			require.NoError(t, err)
			return r
		}
		assert.Nil(t, claim("a"))
		assert.Equal(t, &result.KeyRecord{Fingerprint: "f"}, claim("a"))
		require.NoError(t, s.Finish(ctx, "a", []byte("{}")))
		assert.Equal(t, &result.KeyRecord{Fingerprint: "f", Answer: []byte("{}")}, claim("a"))
		require.NoError(t, s.Release(ctx, "a"))
		assert.Nil(t, claim("a"))
		require.NoError(t, s.Finish(ctx, "a", []byte("{}")))
		require.NoError(t, s.Finish(ctx, "nobody", []byte("{}")))
		require.NoError(t, s.Release(ctx, "nobody"))
		assert.Nil(t, claim("running"))
		time.Sleep(24 * time.Hour)
		assert.NotNil(t, claim("a"))
		time.Sleep(time.Second)
		assert.Nil(t, claim("a"), "an answer is forgotten after a day")
		assert.NotNil(t, claim("running"), "what is running is not")
	})
}

func TestMemoryStoreIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := result.MemoryStore{MaxSize: 10 << 10}
		ctx := t.Context()
		for i := range 10 {
			_, err := s.Claim(ctx, fmt.Sprint(i), "f")
			require.NoError(t, err)
		}
		_, err := s.Claim(ctx, "10", "f")
		require.Error(t, err, "all of them are running")
		for i := range 9 {
			require.NoError(t, s.Finish(ctx, fmt.Sprint(i), []byte("short")), "a short answer is always taken")
		}
		require.Error(t, s.Finish(ctx, "9", []byte(strings.Repeat("long", 2000))))
		_, err = s.Claim(ctx, "10", "f")
		require.Error(t, err, "an answer is kept for ten minutes at least")
		assert.Equal(t, toolerr.CodeUnavailable, toolerr.CodeOf(err))
		time.Sleep(10 * time.Minute)
		require.NoError(t, s.Finish(ctx, "9", []byte(strings.Repeat("long", 1000))))
		for _, forgotten := range []string{"0", "1", "2"} {
			r, err := s.Claim(ctx, forgotten, "f")
			require.NoError(t, err)
			assert.Nil(t, r)
		}
		r, err := s.Claim(ctx, "8", "f")
		require.NoError(t, err)
		assert.NotNil(t, r, "the youngest stays")
	})
}

// A lame store fails when it is told to.
type lameStore struct {
	result.MemoryStore

	claim, finish, release error
}

func (s *lameStore) Claim(ctx context.Context, id, fingerprint string) (*result.KeyRecord, error) {
	if s.claim != nil {
		return nil, s.claim
	}
	return s.MemoryStore.Claim(ctx, id, fingerprint)
}

func (s *lameStore) Finish(ctx context.Context, id string, answer []byte) error {
	if s.finish != nil {
		return s.finish
	}
	return s.MemoryStore.Finish(ctx, id, answer)
}

func (s *lameStore) Release(ctx context.Context, id string) error {
	if s.release != nil {
		return s.release
	}
	return s.MemoryStore.Release(ctx, id)
}

// A store that fails costs an answer, never a second charge.
func TestKeyedWithALameStore(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	store, c := &lameStore{claim: errors.New(secret)}, new(till)
	session := testutil.Connect(t, c.server(&result.Keys{Store: store, Wait: -1, Logger: logged(&log).Logger}), nil)
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
func TestKeyedWithALongAnswer(t *testing.T) {
	t.Parallel()
	c := new(till)
	session := testutil.Connect(t, c.server(&result.Keys{Store: &result.MemoryStore{MaxSize: 1 << 10}, Logger: logged(new(strings.Builder)).Logger}), nil)
	c.ends = func(context.Context, int64) error {
		return toolerr.Business(strings.Repeat("long ", 400))
	}
	first, second := charge(t, session, "charge", 40, "k"), charge(t, session, "charge", 40, "k")
	assert.Contains(t, first.Err.Message, "long")
	assert.Equal(t, toolerr.EffectUnknown, second.Err.Effect)
	assert.Contains(t, second.Err.Message, "made before")
	assert.Equal(t, int64(1), c.ran.Load())
}
