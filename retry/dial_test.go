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

// A Connect that ends its goroutine, as FailNow of a test does, fails the calls
// that wait for it, and no others.
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

// Callers share the pauses between dials, whether these fail or bring a session on which
// nothing is answered. When the server is back, nobody has to wait for long.
func TestClient_PausesBetweenDials(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func() (retry.ClientSession, error){
		"refused": func() (retry.ClientSession, error) { return nil, errRefused },
		"unknown": func() (retry.ClientSession, error) { return nil, errors.New("odd") },
		"dies at once": func() (retry.ClientSession, error) {
			return &fakeSession{die: true, over: make(chan struct{})}, nil
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
