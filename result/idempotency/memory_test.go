package idempotency_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	s := new(idempotency.MemoryStore)
	resulttest.TestStore(t, func() idempotency.Store { return s })
}

// The store of the example, which was written from the documentation alone, passes.
func TestFileStore(t *testing.T) {
	t.Parallel()
	s := &fileStore{dir: t.TempDir()}
	resulttest.TestStore(t, func() idempotency.Store { return s })
}

// A lame store fails if its error is set.
type lameStore struct {
	idempotency.MemoryStore

	claim, finish error
}

func (s *lameStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	if s.claim != nil {
		return idempotency.Claim{}, s.claim
	}
	return s.MemoryStore.Claim(ctx, r)
}

func (s *lameStore) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	if s.finish != nil {
		return s.finish
	}
	return s.MemoryStore.Finish(ctx, id, owner, end)
}

// A store that returns neither a state nor an error is treated as failed.
func TestHandler_StoreWithoutState(t *testing.T) {
	t.Parallel()
	store, c := &stateless{}, new(till)
	session := testutil.Connect(t, c.server(&idempotency.Options{Store: store}), nil)
	out := charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal unknown", string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.Zero(t, c.ran.Load())

	store.state = "from a later version"
	out = charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal unknown", string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.Zero(t, c.ran.Load())
}

// A stateless store has one state for every id.
type stateless struct {
	idempotency.MemoryStore

	state idempotency.State
}

func (s *stateless) Claim(context.Context, idempotency.Request) (idempotency.Claim, error) {
	return idempotency.Claim{State: s.state}, nil
}

// A failing store fails the call, but never causes a second charge.
func TestHandler_FailingStore(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	store, c := &lameStore{claim: errors.New(secret)}, new(till)
	session := testutil.Connect(t, c.serverWith(logged(&log), &idempotency.Options{Store: store, Wait: -1}), nil)
	out := charge(t, session, "charge", 40, "k")
	assert.Equal(t, "internal unknown k", string(out.Err.Code)+" "+string(out.Err.Effect)+" "+out.Err.IdempotencyKey)
	assert.Zero(t, c.ran.Load())

	store.claim, store.finish = nil, errors.New(secret)
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), "it was carried out")
	out = charge(t, session, "charge", 40, "k")
	assert.Equal(t, toolerr.CodeUnavailable, out.Err.Code)
	assert.Equal(t, int64(1), c.ran.Load())
	assert.Contains(t, log.String(), "an idempotency key stays claimed")
	assert.NotContains(t, log.String(), "hunter2")

	c.ends = func(context.Context, int64) error { return toolerr.Transient("m").WithEffect(toolerr.EffectNone) }
	require.Error(t, charge(t, session, "charge", 40, "k2").AsError())
	assert.Equal(t, toolerr.CodeUnavailable, charge(t, session, "charge", 40, "k2").Err.Code)
	assert.Equal(t, int64(2), c.ran.Load())
}

// An answer that is too large for the store is replaced with a short one.
func TestHandler_LongAnswer(t *testing.T) {
	t.Parallel()
	c := new(till)
	session := testutil.Connect(t, c.serverWith(logged(new(strings.Builder)), &idempotency.Options{Store: &idempotency.MemoryStore{MaxSize: 4 << 10}}), nil)
	c.ends = func(context.Context, int64) error {
		return toolerr.Business(strings.Repeat("long ", 400)).WithEffect(toolerr.EffectUnknown)
	}
	first, second := charge(t, session, "charge", 40, "k"), charge(t, session, "charge", 40, "k")
	assert.Contains(t, first.Err.Message, "long")
	assert.Equal(t, toolerr.EffectUnknown, second.Err.Effect)
	assert.Contains(t, second.Err.Message, "left no answer")
	assert.Equal(t, int64(1), c.ran.Load())
}
