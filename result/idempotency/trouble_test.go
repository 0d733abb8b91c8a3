package idempotency_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const shortLease = 300 * time.Millisecond

// A troubled store calls the functions that are set before its own methods.
type troubled struct {
	idempotency.Store

	renew, finish func() error
}

func (s *troubled) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	if s.renew != nil {
		if err := s.renew(); err != nil {
			return err
		}
	}
	return s.Store.Renew(ctx, id, owner, lease)
}

func (s *troubled) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	if s.finish != nil {
		if err := s.finish(); err != nil {
			return err
		}
	}
	return s.Store.Finish(ctx, id, owner, end)
}

// An owner that finds another owner of the key when it finishes cannot state that nothing was done.
func TestHandler_LostAtFinish(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := new(idempotency.MemoryStore)
		running, refuse := make(chan bool, 1), make(chan bool)
		first := &till{ends: func(context.Context, int64) error {
			running <- true
			<-refuse
			return toolerr.Validation("the service refuses it").WithEffect(toolerr.EffectNone)
		}}
		away := &troubled{Store: shared, renew: func() error { return errors.New("the database is away") }}
		one := testutil.Connect(t, first.server(&idempotency.Options{Rerun: true, Lease: shortLease, Store: away}), nil)
		other := testutil.Connect(t, new(till).server(&idempotency.Options{Rerun: true, Lease: shortLease, Store: shared}), nil)
		told := make(chan result.Outcome)
		go func() { told <- charge(t, one, "charge", 1, "k") }()
		<-running
		require.NoError(t, charge(t, other, "charge", 1, "k").AsError()) // it waits for the end of the lease
		close(refuse)
		assert.Equal(t, toolerr.EffectUnknown, (<-told).Err.Effect)
	})
}

// A store that takes longer than the lease to record an answer does not lose the claim.
func TestHandler_SlowFinish(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared, finishing := new(idempotency.MemoryStore), make(chan bool, 1)
		slow := &troubled{Store: shared, finish: func() error {
			finishing <- true
			time.Sleep(2 * shortLease) // in a bubble, as a database does that comes back
			return nil
		}}
		first, second := new(till), new(till)
		one := testutil.Connect(t, first.server(&idempotency.Options{Rerun: true, Lease: shortLease, Store: slow}), nil)
		other := testutil.Connect(t, second.server(&idempotency.Options{Rerun: true, Lease: shortLease, Store: shared}), nil)
		told := make(chan result.Outcome)
		go func() { told <- charge(t, one, "charge", 1, "k") }()
		<-finishing
		require.NoError(t, charge(t, other, "charge", 1, "k").AsError())
		require.NoError(t, (<-told).AsError())
		assert.EqualValues(t, 1, first.ran.Load()+second.ran.Load())
	})
}

// A store that panics while a handler runs ends neither the server nor the call.
func TestHandler_PanickingRenew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		renewed := make(chan bool, 10)
		store := &troubled{Store: new(idempotency.MemoryStore), renew: func() error {
			renewed <- true
			panic("a bug of the driver")
		}}
		c := &till{ends: func(context.Context, int64) error { <-renewed; return nil }}
		session := testutil.Connect(t, c.server(&idempotency.Options{Store: store, Lease: shortLease}), nil)
		require.NoError(t, charge(t, session, "charge", 1, "k").AsError())
	})
}

// An answer stored by another version of the server is not returned as a success.
func TestHandler_OtherOutput(t *testing.T) {
	t.Parallel()
	type input struct {
		Key string `json:"idempotency_key,omitempty"`
	}
	type older struct {
		Refund string `json:"refund_id"`
		Cents  int    `json:"cents"`
	}
	type newer struct {
		ID    string `json:"id"`
		Cents int    `json:"amount_cents"`
	}
	opts := &idempotency.Options{Store: new(idempotency.MemoryStore)}
	call := func(add func(*mcp.Server)) result.Outcome {
		server := mcp.NewServer(&mcp.Implementation{Name: "refunds"}, nil)
		server.AddReceivingMiddleware(result.Middleware(nil))
		add(server)
		params := &mcp.CallToolParams{Name: "refund", Arguments: map[string]any{"idempotency_key": "k"}}
		return result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), params))
	}
	require.NoError(t, call(func(s *mcp.Server) {
		idempotency.AddTool(s, &mcp.Tool{Name: "refund"}, opts, func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, older, error) {
			return nil, older{"r1", 100}, nil
		})
	}).AsError())
	out := call(func(s *mcp.Server) {
		idempotency.AddTool(s, &mcp.Tool{Name: "refund"}, opts, func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, newer, error) {
			return nil, newer{"r2", 100}, nil
		})
	})
	require.Error(t, out.AsError())
	assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
}

// A process that started after a lost attempt has no record of it. An earlier process may have
// executed it, and only Rerun repeats it.
func TestHandler_YoungerRecord(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts *idempotency.Options
		ms   float64
		runs int64
	}{
		"older process":   {&idempotency.Options{}, 1, 1},
		"younger process": {&idempotency.Options{}, 3.6e6, 0},
		"rerun":           {&idempotency.Options{Rerun: true}, 3.6e6, 1},
	} {
		c := new(till)
		session := testutil.Connect(t, c.server(test.opts), nil)
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "charge", Arguments: map[string]any{"cents": 1, "idempotency_key": "k"},
			Meta: mcp.Meta{"io.github.mcp-toolerr/attempt": 2, "io.github.mcp-toolerr/call": "c", "io.github.mcp-toolerr/unknownForMs": test.ms},
		}))
		assert.Equal(t, test.runs, c.ran.Load(), name)
		if test.runs == 0 {
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
			assert.False(t, out.Err.Retryable, name)
		} else {
			require.NoError(t, out.AsError(), name)
		}
	}
}
