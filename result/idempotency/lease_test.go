package idempotency_test

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
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A handler that takes longer than its lease renews it, even if the store fails temporarily.
func TestHandler_Renewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, renewals := newHooked(), 0
		store.renew = func() error {
			if renewals++; renewals == 1 {
				return errors.New("the disk is full")
			}
			return nil
		}
		opts := &idempotency.Options{Store: store, Lease: 3 * time.Second, Wait: -1, UpstreamDedupes: true}
		// in a bubble
		c := &till{ends: func(context.Context, int64) error { time.Sleep(30*time.Second + time.Millisecond); return nil }}
		handler := idempotency.Handler(opts, c.charge)
		req := requestOf(`{"idempotency_key":"k"}`)
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
		before := renewals
		time.Sleep(time.Minute) // in a bubble
		assert.Equal(t, before, renewals, "renewals of the claim a minute after the handler's end, and at it")
	})
}

// A store that panics beside the handler ends neither the server nor the call.
func TestHandler_PanickingRenew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, renewed := newHooked(), make(chan bool, 10)
		store.renew = func() error { renewed <- true; panic("a bug of the driver") }
		// in a bubble
		c := &till{ends: func(context.Context, int64) error { <-renewed; time.Sleep(time.Millisecond); return nil }}
		var log strings.Builder
		start, session := time.Now(), testutil.Connect(t, c.server(logged(&log), &idempotency.Options{Store: store}), nil)
		require.NoError(t, charge(t, session, "charge", 1, "k0").AsError())
		assert.Equal(t, 10*time.Second/3+time.Millisecond, time.Since(start), "the default lease")
		synctest.Wait()
		assert.Equal(t, 1, strings.Count(log.String(), "could not be renewed"), log.String())
		store.claim = func(idempotency.Claim) (idempotency.Claim, error) { return idempotency.Claim{}, errSecret }
		store.finish = func(idempotency.Ending) error { panic("a bug of the driver") }
		require.Error(t, charge(t, c.connect(t, &idempotency.Options{Store: store}), "charge", 1, "k2").AsError())
	})
}

// An owner that has lost the key cannot state that nothing was done, because another has started.
func TestHandler_LostLease(t *testing.T) {
	t.Parallel()
	for _, ends := range []error{idempotency.ErrLost, errSecret} {
		synctest.Test(t, func(t *testing.T) {
			store, renewals := newHooked(), 0
			store.renew = func() error {
				if renewals++; renewals < 3 {
					return errSecret
				}
				return idempotency.ErrLost
			}
			store.finish = func(idempotency.Ending) error { return ends }
			c := &till{ends: func(context.Context, int64) error {
				time.Sleep(time.Minute) // in a bubble
				return toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone)
			}}
			var log strings.Builder
			session := testutil.Connect(t, c.server(logged(&log), &idempotency.Options{Store: store}), nil)
			assert.Equal(t, toolerr.EffectUnknown, charge(t, session, "charge", 1, "k").Err.Effect)
			assert.Equal(t, 1, strings.Count(log.String(), "claimed by another call while its handler runs"))
			assert.Equal(t, 1, strings.Count(log.String(), "an answer is not kept")+strings.Count(log.String(), "stays claimed"),
				log.String())
			assert.Equal(t, 1, strings.Count(log.String(), "could not be renewed"), log.String())
		})
	}
}

// A repeat asks the store at most once a second. OnCall and the log are told what the store said of the keys.
func TestHandler_Wait(t *testing.T) {
	t.Parallel()
	for name, isOther := range map[string]bool{"in this process": false, "in another process": true} {
		synctest.Test(t, func(t *testing.T) {
			takes := 3300 * time.Millisecond
			var calls []result.FinishedCall
			var log strings.Builder
			middleware := logged(&log)
			middleware.OnCall = func(_ context.Context, call result.FinishedCall) { calls = append(calls, call) }
			store, claims := newHooked(), []time.Time(nil)
			store.claim = func(got idempotency.Claim) (idempotency.Claim, error) {
				claims = append(claims, time.Now())
				return got, nil
			}
			one := &idempotency.Options{Store: store, Scope: "eu"}
			other := one
			if isOther {
				other = &idempotency.Options{Store: store, Scope: "eu"}
			}
			ends := map[int64]error{1: toolerr.Business("not yet")}
			c := &till{ends: func(_ context.Context, run int64) error { time.Sleep(takes); return ends[run] }} // in a bubble
			first, second := c.connect(t, one), testutil.Connect(t, c.server(middleware, other), nil)
			require.Error(t, charge(t, second, "charge", 1, "k").AsError(), "an earlier run, without effect")
			calls, claims = nil, nil
			go func() { _ = charge(t, first, "charge", 1, "k") }()
			synctest.Wait()
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, one.Drain(ended), context.Canceled, "it runs")
			start := time.Now()
			require.NoError(t, charge(t, second, "charge", 1, "k").AsError(), name)
			waited := time.Since(start)
			assert.True(t, takes <= waited && waited <= takes+time.Second, "%s: %v", name, waited)
			assert.Len(t, claims, 13, "%s: when the key was claimed, by the running call and by the one that waits", name)
			id := one.ID("", "charge", "k")
			assert.Equal(t, "["+id+" answered "+waited.String()+"]", keysOf(calls), name)
			require.NoError(t, one.Drain(t.Context()))
			calls, store.finish = nil, func(idempotency.Ending) error { time.Sleep(time.Millisecond); return nil } // in a bubble
			require.Error(t, charge(t, second, "charge", 2, "k").AsError())
			for _, err := range []error{errSecret, idempotency.ErrFull} {
				store.claim = func(idempotency.Claim) (idempotency.Claim, error) { return idempotency.Claim{}, err }
				require.Error(t, charge(t, second, "charge", 2, "k").AsError())
			}
			assert.Equal(t, "["+id+" conflict 0s "+id+" failed 0s "+id+" full 0s]", keysOf(calls), name)
			assert.Contains(t, log.String(), "toolerr.claim=conflict toolerr.key_id="+id+"")
			require.ErrorIs(t, other.Drain(ended), context.Canceled, "two claims are withdrawn")
			require.NoError(t, other.Drain(t.Context()))
			store.claim, store.finish, takes = nil, nil, time.Minute
			go func() { _ = charge(t, first, "charge", 1, "k2") }()
			synctest.Wait()
			start = time.Now()
			require.Error(t, charge(t, second, "charge", 1, "k2").AsError())
			assert.Equal(t, 5*time.Second, time.Since(start), "the default wait")
			synctest.Wait()
		})
	}
}

func keysOf(calls []result.FinishedCall) string {
	var keys []any
	for _, call := range calls {
		keys = append(keys, call.KeyID, call.Claim, call.Waited)
	}
	return fmt.Sprint(keys)
}
