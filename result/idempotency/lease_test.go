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

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A handler that takes longer than its lease renews it, even if the store fails temporarily.
func TestHandler_Renewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &stubborn{fails: 1}
		opts := &idempotency.Options{Store: store, Lease: 3 * time.Second, Wait: -1, Rerun: true}
		c := &till{ends: func(context.Context, int64) error { time.Sleep(30*time.Second + time.Millisecond); return nil }} // in a bubble
		handler := idempotency.Handler(opts, c.charge)
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "charge", Arguments: []byte(`{"idempotency_key":"k"}`)}}
		first := make(chan error)
		go func() {
			_, _, err := handler(t.Context(), req, chargeIn{})
			first <- err
		}()
		for range 9 {
			time.Sleep(3 * time.Second) // in a bubble
			_, _, err := handler(t.Context(), req, chargeIn{})
			require.ErrorContains(t, err, "still running")
		}
		require.NoError(t, <-first)
		_, out, err := handler(t.Context(), req, chargeIn{})
		require.NoError(t, err)
		assert.Equal(t, int64(9007199254740994), out.Number)
		assert.Equal(t, int64(1), c.ran.Load())
		renewals := store.renewals
		time.Sleep(time.Minute) // in a bubble
		assert.Equal(t, renewals, store.renewals, "it ends with the handler")
	})
}

// A stubborn store rejects the first renewals, or all.
type stubborn struct {
	idempotency.MemoryStore

	fails, renewals int
	lost            bool
}

func (s *stubborn) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	switch s.renewals++; {
	case s.lost:
		return idempotency.ErrLost
	case s.renewals <= s.fails:
		return errors.New("the disk is full")
	}
	return s.MemoryStore.Renew(ctx, id, owner, lease)
}

// An owner that has lost the key cannot state that nothing was done, because another has started.
func TestHandler_LostLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &till{ends: func(context.Context, int64) error {
			time.Sleep(time.Minute) // in a bubble
			return toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone)
		}}
		handler := idempotency.Handler(&idempotency.Options{Store: &stubborn{lost: true}}, c.charge)
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "charge", Arguments: []byte(`{"idempotency_key":"k"}`)}}
		_, _, err := handler(t.Context(), req, chargeIn{})
		assert.Equal(t, toolerr.EffectUnknown, toolerr.From(err).Effect)
	})
}

// A store whose owner has exited.
type left struct {
	idempotency.MemoryStore

	claim  idempotency.Claim
	change func([]byte) []byte // changes the stored answer
}

func (s *left) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	got, err := s.MemoryStore.Claim(ctx, r)
	switch {
	case s.claim.State != "":
		return s.claim, nil
	case got.State == idempotency.StateAnswered && s.change != nil:
		got.Answer = s.change(got.Answer)
	}
	return got, err
}

// The answer of a repeat for each state of a store: never a success that is not certain, and never
// permission to run.
func TestHandler_Leftovers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		claim  idempotency.Claim
		effect toolerr.Effect
		words  string
	}{
		"abandoned":           {idempotency.Claim{State: idempotency.StateAbandoned}, toolerr.EffectUnknown, "left no answer"},
		"done":                {idempotency.Claim{State: idempotency.StateDone}, toolerr.EffectApplied, "was carried out before"},
		"a tombstone":         {idempotency.Claim{State: idempotency.StateAnswered, Answer: []byte("{}")}, toolerr.EffectUnknown, "cannot be given again"},
		"null":                {idempotency.Claim{State: idempotency.StateAnswered, Answer: []byte("null")}, toolerr.EffectUnknown, "cannot be given again"},
		"nothing":             {idempotency.Claim{State: idempotency.StateAnswered}, toolerr.EffectUnknown, "cannot be given again"},
		"another's":           {idempotency.Claim{State: idempotency.StateAnswered, Answer: []byte(`{"call":"x","out":{"number":1}}`)}, toolerr.EffectUnknown, "cannot be given again"},
		"other call done":     {idempotency.Claim{State: idempotency.StateConflict, Effect: toolerr.EffectApplied}, toolerr.EffectNone, "which was carried out. This call was not"},
		"other call in doubt": {idempotency.Claim{State: idempotency.StateConflict, Effect: toolerr.EffectUnknown}, toolerr.EffectUnknown, "which may have taken effect"},
		"other call running":  {idempotency.Claim{State: idempotency.StateConflict}, toolerr.EffectUnknown, "which may have taken effect"},
		"a state of ours":     {idempotency.Claim{State: "postponed"}, toolerr.EffectUnknown, "cannot be given again"},
	} {
		till := new(till)
		session := testutil.Connect(t, till.server(&idempotency.Options{Store: &left{claim: c.claim}}), nil)
		for range 2 {
			e := charge(t, session, "charge", 40, "k").Err
			require.NotNil(t, e, name)
			assert.Equal(t, c.effect, e.Effect, name)
			assert.False(t, e.Retryable, name)
			assert.Contains(t, e.Message, c.words, name)
			assert.Equal(t, c.effect == toolerr.EffectNone, strings.Contains(e.Hint, "leave idempotency_key out"), name)
			assert.Equal(t, c.effect == toolerr.EffectUnknown, e.IdempotencyKey == "k", name)
		}
		assert.Zero(t, till.ran.Load(), name)
	}
}

// An answer with a missing or changed part is never a success.
func TestHandler_SpoiledAnswers(t *testing.T) {
	t.Parallel()
	store, c := new(left), new(till)
	session := testutil.Connect(t, c.server(&idempotency.Options{Store: store}), nil)
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	var whole []byte
	store.change = func(raw []byte) []byte { whole = raw; return raw }
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	for name, spoiled := range map[string][]byte{
		"a failure too": bytes.Replace(whole, []byte(`"out"`), []byte(`"failure":{},"out"`), 1),
		"no output":     bytes.Replace(whole, []byte(`"out"`), []byte(`"in"`), 1),
		"another type":  bytes.Replace(whole, []byte(`"lines":[]`), []byte(`"lines":7`), 1),
		"two":           append(bytes.Clone(whole), whole...),
	} {
		store.change = func([]byte) []byte { return spoiled }
		e := charge(t, session, "charge", 40, "k").Err
		require.NotNil(t, e, name)
		assert.Equal(t, toolerr.EffectUnknown, e.Effect, name)
	}
	for n := range whole {
		store.change = func([]byte) []byte { return whole[:n] }
		e := charge(t, session, "charge", 40, "k").Err
		require.NotNil(t, e, n)
		assert.Equal(t, toolerr.EffectUnknown, e.Effect, n)
	}
	assert.Equal(t, int64(1), c.ran.Load())
}

// The hint names the argument, and the key is sent if a repeat makes sense.
func TestHandler_HintAndKey(t *testing.T) {
	t.Parallel()
	type in struct {
		Request string `json:"request_id,omitempty"`
	}
	for name, c := range map[string]struct {
		fail  *toolerr.Error
		rerun bool
		keyed bool   // the arguments have a key
		key   bool   // the answer has a key
		hint  string // a part
	}{
		"unknown, without a key":      {toolerr.Transient("m").WithEffect(toolerr.EffectUnknown), true, false, true, "Repeat it only with idempotencyKey as request_id."},
		"unknown, with a key":         {toolerr.Transient("m").WithEffect(toolerr.EffectUnknown), true, true, true, "Retry the same call at most twice, with idempotencyKey as request_id: it is then done once."},
		"unknown, and that stays":     {toolerr.Transient("m").WithEffect(toolerr.EffectUnknown), false, true, true, "only gets this answer again"},
		"an author's hint":            {toolerr.Transient("m").WithEffect(toolerr.EffectUnknown).WithHint("Ask Ann."), true, true, true, "Ask Ann."},
		"busy, with a key":            {toolerr.Transient("m").WithEffect(toolerr.EffectNone), false, true, true, "Retry the same call"},
		"busy, without a key":         {toolerr.Transient("m").WithEffect(toolerr.EffectNone), false, false, false, "Retry the same call"},
		"refused":                     {toolerr.Business("m"), false, true, false, "Do not retry"},
		"not valid":                   {toolerr.Validation("m"), true, true, false, "Correct the input"},
		"carried out":                 {toolerr.Transient("m").WithEffect(toolerr.EffectApplied), true, true, false, "Do not repeat it"},
		"an author's key, of its own": {toolerr.Business("m").WithIdempotencyKey("own"), false, true, true, "Do not retry"},
	} {
		server := newTill()
		idempotency.AddTool(server, &mcp.Tool{Name: "pay"}, &idempotency.Options{Rerun: c.rerun, Argument: "request_id"},
			func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
				return nil, nil, c.fail
			})
		arguments := map[string]any{}
		if c.keyed {
			arguments["request_id"] = "k"
		}
		session := testutil.Connect(t, server, nil)
		e := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay", Arguments: arguments})).Err
		require.NotNil(t, e, name)
		assert.Equal(t, c.key, e.IdempotencyKey != "", name)
		assert.Contains(t, e.Hint, c.hint, name)
	}
}

// A claim whose reply was lost is released, so that the repeat need not wait.
func TestHandler_LostClaim(t *testing.T) {
	t.Parallel()
	store := &forgetful{}
	c := new(till)
	session := testutil.Connect(t, c.server(&idempotency.Options{Store: store}), nil)
	e := charge(t, session, "charge", 40, "k").Err
	require.NotNil(t, e)
	assert.Equal(t, "unknown true", fmt.Sprint(e.Effect, " ", e.Retryable))
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	assert.Equal(t, int64(1), c.ran.Load())
}

// A forgetful store loses the reply to its first claim.
type forgetful struct {
	idempotency.MemoryStore

	claims int
}

func (s *forgetful) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	got, err := s.MemoryStore.Claim(ctx, r)
	if s.claims++; s.claims == 1 {
		return idempotency.Claim{}, toolerr.Transient("The connection broke.").WithCode(toolerr.CodeUnavailable)
	}
	return got, err
}
