package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/retry"
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
	silent        bool // Claim returns neither a state nor an error
}

func (s *lameStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	if s.claim != nil || s.silent {
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

// A store that cannot be asked proves nothing about the first call, unless this is the first
// attempt of a new key.
func TestHandler_StoreAway(t *testing.T) {
	t.Parallel()
	away := map[string]error{
		"broken": errors.New(secret), "refused": &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", classify.ErrRefused)},
		"late": context.DeadlineExceeded, "states an effect": toolerr.Transient("m").WithEffect(toolerr.EffectNone), "silent": nil,
	}
	const number, call, age = "io.github.mcp-toolerr/attempt", "io.github.mcp-toolerr/call", "io.github.mcp-toolerr/unknownForMs"
	for name, c := range map[string]struct {
		meta  mcp.Meta
		key   string
		retry bool // by package retry
		want  toolerr.Effect
	}{
		"a host":                    {key: "k", want: toolerr.EffectUnknown},
		"a next attempt":            {key: "k", meta: mcp.Meta{number: 2, call: "c"}, want: toolerr.EffectUnknown},
		"a first attempt, its key":  {key: "k", meta: mcp.Meta{number: 1, call: "c"}, want: toolerr.EffectUnknown},
		"the same call":             {key: "k", meta: mcp.Meta{number: 2, call: attempt.CallOf("k")}, want: toolerr.EffectUnknown},
		"an earlier call":           {key: "k", meta: mcp.Meta{number: 1, call: attempt.CallOf("k"), age: 5}, want: toolerr.EffectUnknown},
		"our client, with a key":    {key: "k", retry: true, want: toolerr.EffectUnknown},
		"our client, without a key": {retry: true, want: toolerr.EffectNone},
		"no key":                    {want: toolerr.EffectNone},
	} {
		for how, err := range away {
			store, till := &lameStore{}, new(till)
			session := testutil.Connect(t, till.server(&idempotency.Options{Store: store}), nil)
			require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
			store.claim, store.silent = err, err == nil
			arguments := map[string]any{"cents": 40}
			if c.key != "" {
				arguments["idempotency_key"] = c.key
			}
			params := &mcp.CallToolParams{Name: "charge", Arguments: arguments, Meta: c.meta}
			out := result.Outcome{}
			if c.retry {
				out, _ = retry.CallTool(t.Context(), retry.Policy{MaxAttempts: 1, Safety: retry.SafetyKeyed}, session, params)
			} else {
				out = result.Parse(session.CallTool(t.Context(), params))
				assert.Equal(t, how != "broken" && how != "silent", out.Err.Retryable, "%s, %s: a repeat with the key is safe", name, how)
			}
			assert.Equal(t, c.want, out.Err.Effect, "%s, %s: %s", name, how, out.Text())
			assert.NotContains(t, out.Text(), "hunter2")
			assert.EqualValues(t, 1, till.ran.Load(), name)
			store.claim, store.silent = nil, false
			require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), name)
			assert.EqualValues(t, 1, till.ran.Load(), name)
		}
	}
}

// A failing store fails the call, but never causes a second charge.
func TestHandler_FailingStore(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	store, c := &lameStore{finish: errors.New(secret)}, new(till)
	session := testutil.Connect(t, c.serverWith(logged(&log), &idempotency.Options{Store: store, Wait: -1}), nil)
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), "it was carried out")
	out := charge(t, session, "charge", 40, "k")
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

// TestMemoryStore_LostWithProcess checks that a call which may have reached an earlier process
// stays abandoned, also for repeats that do not know of that attempt.
func TestMemoryStore_LostWithProcess(t *testing.T) {
	t.Parallel()
	s := new(idempotency.MemoryStore)
	for n, unknownFor := range []time.Duration{time.Hour, 0, 0} {
		r := idempotency.Request{ID: "id", Owner: fmt.Sprint("owner", n), Fingerprint: "f", Lease: time.Minute, UnknownFor: unknownFor}
		got, err := s.Claim(t.Context(), r)
		require.NoError(t, err)
		assert.Equal(t, idempotency.StateAbandoned, got.State)
	}
	got, err := s.Claim(t.Context(), idempotency.Request{ID: "id", Owner: "owner3", Fingerprint: "f", Lease: time.Minute, Rerun: true})
	require.NoError(t, err)
	assert.Equal(t, idempotency.StateClaimed, got.State)
}
