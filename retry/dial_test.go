package retry_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestClient_ConnectEndsGoroutine checks that a Connect that ends its goroutine, like
// FailNow of a test, fails only the waiting calls.
func TestClient_ConnectEndsGoroutine(t *testing.T) {
	t.Parallel()
	w := newWorld(done)
	c := w.client(t)
	ends := true
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		if ends {
			runtime.Goexit()
		}
		return w.connect(ctx)
	}
	out, d := call(t, c, "write")
	assert.Equal(t, retry.ActionPropagate, d.Action)
	assert.Equal(t, 1, d.Attempt)
	if assert.NotNil(t, out.Err) {
		assert.Equal(t, "The connection to the server could not be made.", out.Err.Message)
		assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
	}
	ends = false
	_, d = call(t, c, "write")
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.NoError(t, c.Close())
}

// TestClient_PausesBetweenDials checks that callers share the pauses after failed dials and
// after sessions without an answer, and that calls succeed soon after the server is back.
func TestClient_PausesBetweenDials(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func() (retry.ClientSession, error){
		"refused": func() (retry.ClientSession, error) { return nil, errRefused },
		"unknown": func() (retry.ClientSession, error) { return nil, errors.New("odd") },
		"exits immediately": func() (retry.ClientSession, error) {
			return &fakeSession{exits: true, over: make(chan struct{})}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var dials atomic.Int64
				var back atomic.Bool
				c := &retry.Client{Policy: retry.Policy{Safety: retry.SafetyReadOnly}, Connect: func(context.Context) (retry.ClientSession, error) {
					if back.Load() {
						return &fakeSession{over: make(chan struct{})}, nil
					}
					dials.Add(1)
					return connect()
				}}
				begun := time.Now()
				var callers sync.WaitGroup
				for range 20 {
					callers.Go(func() {
						for time.Since(begun) < 2*time.Minute {
							_, d := call(t, c, "read")
							assert.NotEqual(t, retry.ActionAccept, d.Action)
							time.Sleep(10 * time.Millisecond) // in a bubble
						}
					})
				}
				callers.Wait()
				assert.LessOrEqual(t, dials.Load(), int64(20), "in two minutes, with pauses of up to 20 s")
				assert.GreaterOrEqual(t, dials.Load(), int64(10))
				back.Store(true)
				at := time.Now()
				for {
					if _, d := call(t, c, "read"); d.Action == retry.ActionAccept {
						break
					}
				}
				assert.LessOrEqual(t, time.Since(at), 21*time.Second)
				_ = c.Close()
			})
		})
	}
}
