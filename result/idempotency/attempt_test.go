package idempotency_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// attemptOf returns the metadata of an attempt of a call. The number 0 is not sent.
func attemptOf(call string, number int) mcp.Meta {
	if number == 0 {
		return nil
	}
	return mcp.Meta{"io.github.mcp-toolerr/attempt": number, "io.github.mcp-toolerr/call": call}
}

// A repeated attempt gets the same answer, even if it had no effect. The next attempt is executed,
// and so is another call's.
func TestHandler_SameAttempt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opts   *idempotency.Options
		effect toolerr.Effect
	}{
		"no effect":                  {opts: new(idempotency.Options), effect: toolerr.EffectNone},
		"unknown, but may run again": {opts: &idempotency.Options{UpstreamDedupes: true}, effect: toolerr.EffectUnknown},
	} {
		till := &till{ends: func(_ context.Context, run int64) error {
			return toolerr.Transient(fmt.Sprintf("The bank is closed (%d).", run)).WithCode(toolerr.CodeUnavailable).
				WithEffect(c.effect)
		}}
		session := till.connect(t, c.opts)
		hints := map[int64]string{}
		for i, test := range []struct {
			call   string
			number int
			want   int64 // whose answer
		}{
			{"a", 1, 1},
			{"a", 1, 1},
			{"a", 2, 2},
			{"a", 2, 2},
			{"a", 1, 2},
			{"b", 1, 3},
			{"b", 1, 3},
			{"", 0, 4},
			{"", 0, 5},
			{"", 1, 6},
			{"", 1, 6},
			{"", 2, 7},
			{"", 1, 8},
		} {
			e := chargeWith(t.Context(), session, "charge", 40, "k", attemptOf(test.call, test.number)).Err
			require.NotNil(t, e, "%s, %d", name, i)
			assert.Equal(t, fmt.Sprintf("The bank is closed (%d). %s true", test.want, c.effect),
				fmt.Sprint(e.Message, " ", e.Effect, " ", e.Retryable), "%s, %d", name, i)
			if hint, again := hints[test.want]; again {
				assert.Equal(t, hint, e.Hint, "%s, %d", name, i)
			}
			hints[test.want] = e.Hint
		}
		assert.Equal(t, int64(8), till.ran.Load(), name)
	}
}

// Grace is limited, and the server's timeout ends the handler immediately.
func TestHandler_Grace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var took time.Duration
		var cause error
		till := &till{ends: func(ctx context.Context, _ int64) error {
			started := time.Now()
			<-ctx.Done()
			took, cause = time.Since(started), ctx.Err()
			return cause
		}}
		req := requestOf("")
		var handler mcp.ToolHandlerFor[chargeIn, chargeOut]
		for _, grace := range []time.Duration{0, -1, 3 * time.Second} {
			handler = idempotency.Handler(fresh(&idempotency.Options{Grace: grace}), till.charge)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, _, err := handler(ctx, req, chargeIn{})
			require.Error(t, err)
			assert.Equal(t, time.Second+max(0, cmp.Or(grace, 10*time.Second)), took)
			require.ErrorIs(t, cause, context.Canceled)
		}

		ends := till.ends
		till.ends = func(context.Context, int64) error { time.Sleep(2 * time.Second); return errSoldOut } // in a bubble
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, _, err := handler(ctx, req, chargeIn{})
		assert.Equal(t, toolerr.CodeInternal, toolerr.CodeOf(err), "an error of its own, after the caller has left")

		till.ends = ends
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err = handler(ctx, req, chargeIn{})
		require.Error(t, err)
		assert.Equal(t, time.Second, took)
		require.ErrorIs(t, cause, context.DeadlineExceeded)

		_, _, err = handler(ctx, req, chargeIn{}) // it has ended before the call
		assert.Equal(t, toolerr.EffectNone, toolerr.From(err).Effect)
		assert.Equal(t, int64(5), till.ran.Load())
	})
}

// A handler that ends its goroutine leaves a failure with an unknown effect.
func TestHandler_EndsGoroutine(t *testing.T) {
	t.Parallel()
	c, ended := &till{ends: func(context.Context, int64) error { runtime.Goexit(); return nil }}, make(chan bool)
	handler := idempotency.Handler(fresh(&idempotency.Options{Wait: -1}), c.charge)
	req := requestOf(`{"idempotency_key":"k"}`)
	go func() {
		defer close(ended)
		_, _, _ = handler(t.Context(), req, chargeIn{})
	}()
	<-ended
	_, _, err := handler(t.Context(), req, chargeIn{})
	e := toolerr.From(err)
	assert.Equal(t, "internal unknown 1", fmt.Sprint(e.Code, " ", e.Effect, " ", c.ran.Load()))
}

// After a lost attempt, a process that is younger, or only as much older as this one may have been on its way, has no
// record of it. An earlier process may have executed it: repeats do not run, even if they do not know of that attempt,
// but with Rerun.
func TestHandler_YoungerProcess(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		unknownFor float64 // in ms
		runs       int64
	}{"no lost attempt": {0, 1}, "younger process": {3.6e6, 0}, "older, but by less than a minute": {1, 0}} {
		c, store := new(till), new(idempotency.MemoryStore)
		session := c.connect(t, &idempotency.Options{Store: store})
		meta := attemptOf("c", 2)
		meta["io.github.mcp-toolerr/unknownForMs"] = test.unknownFor
		for _, meta := range []mcp.Meta{meta, nil, nil} {
			out := chargeWith(t.Context(), session, "charge", 1, "k", meta)
			assert.Equal(t, test.runs, c.ran.Load(), name)
			if test.runs > 0 {
				require.NoError(t, out.AsError(), name)
				continue
			}
			assert.Equal(t, "unknown false", fmt.Sprint(out.Err.Effect, " ", out.Err.Retryable), name)
		}
		assert.Equal(t, toolerr.CodeConflict, charge(t, session, "charge", 2, "k").Err.Code, name)
		for n, with := range []idempotency.Store{store, nil} {
			session = c.connect(t, &idempotency.Options{Store: with, UpstreamDedupes: true})
			require.NoError(t, chargeWith(t.Context(), session, "charge", 1, "k", meta).AsError(), name)
			assert.Equal(t, int64(n+1), c.ran.Load(), name)
		}
	}
}

// TestOptions_ForEachSession makes calls with the same keys to servers that are made for each
// session, or for each request, with options of their own.
func TestOptions_ForEachSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stateless bool
		opts      func(server int) *idempotency.Options
		runs      int64 // of four keys, each used on two sessions
	}{
		"stateful, zero":  {false, func(int) *idempotency.Options { return new(idempotency.Options) }, 4},
		"stateful, nil":   {false, func(int) *idempotency.Options { return nil }, 4},
		"stateless, zero": {true, func(int) *idempotency.Options { return &idempotency.Options{Wait: -1} }, 4},
		"stateless, nil":  {true, func(int) *idempotency.Options { return nil }, 4},
		"stateful, scopes differ": {
			false, func(n int) *idempotency.Options { return &idempotency.Options{Scope: fmt.Sprint(n)} }, 8,
		},
		"stateful, stores differ": {false, func(int) *idempotency.Options { return fresh(nil) }, 8},
		"stateful, another user is": {false, func(n int) *idempotency.Options {
			return &idempotency.Options{Principal: func(*mcp.CallToolRequest) string { return fmt.Sprint(n) }}
		}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			till, servers, run := new(till), atomic.Int64{}, rand.Text()
			front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
				server := newTill()
				idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, c.opts(int(servers.Add(1))), till.charge)
				return server
			}, &mcp.StreamableHTTPOptions{Stateless: c.stateless}))
			t.Cleanup(front.Close)
			answers := map[string]string{}
			for range 2 {
				session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true},
					nil)
				for n := range 4 {
					key := fmt.Sprint(run, n)
					out := charge(t, session, "charge", 40, key)
					require.NoError(t, out.AsError())
					if before, ok := answers[key]; ok {
						assert.Equal(t, c.runs == 4, before == out.Text(), "the same answer")
					}
					answers[key] = out.Text()
				}
			}
			assert.Equal(t, c.runs, till.ran.Load())
			assert.Greater(t, servers.Load(), int64(1))
		})
	}
}
