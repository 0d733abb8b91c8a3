package retry_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A slow session answers each call after a second, and counts the calls.
type slow struct {
	mu     sync.Mutex
	sent   []string
	answer func(context.Context, string) (*mcp.CallToolResult, error)
}

func (s *slow) CallTool(ctx context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.mu.Lock()
	s.sent = append(s.sent, p.Name)
	s.mu.Unlock()
	select {
	case <-time.After(time.Second):
		return s.answer(ctx, p.Name)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestGuard_WaitingContext checks that a call waits for an identical one until its own
// context ends, and is then not sent.
func TestGuard_WaitingContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{answer: func(context.Context, string) (*mcp.CallToolResult, error) { return result.OK("done"), nil }}
		p := guarded()
		go func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund")) }()
		synctest.Wait()
		for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if errors.Is(cause, context.Canceled) {
				time.AfterFunc(100*time.Millisecond, cancel)
				ctx = t.Context()
				canceled, stop := context.WithCancel(ctx)
				time.AfterFunc(100*time.Millisecond, stop)
				ctx = canceled
			}
			out, _ := retry.CallTool(ctx, p, s, tool("refund"))
			cancel()
			require.ErrorIs(t, out.AsError(), cause)
			assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
			assert.Equal(t, 100*time.Millisecond, time.Since(start))
		}
		assert.Len(t, s.sent, 1)
		_, d := retry.CallTool(t.Context(), p, s, tool("refund"))
		assert.Equal(t, retry.ActionAccept, d.Action)
		assert.Len(t, s.sent, 2)
		_, d = retry.CallTool(t.Context(), p, s, tool("other"))
		assert.Equal(t, retry.ActionAccept, d.Action)
	})
}

// TestGuard_GivenUp checks that the next call is sent after a call without an answer,
// unless that may have taken effect.
func TestGuard_GivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{answer: func(context.Context, string) (*mcp.CallToolResult, error) { return result.OK("done"), nil }}
		p := guarded()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, _ = retry.CallTool(over, p, s, tool("refund"))
		_, d := retry.CallTool(t.Context(), p, s, tool("refund"))
		assert.Equal(t, retry.ActionAccept, d.Action, "first call sent")

		var wg sync.WaitGroup
		var reasons [3]retry.Reason
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		for i := range 3 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond) // in a synctest bubble
				ctx := ctx
				if i > 0 {
					ctx = t.Context()
				}
				_, d := retry.CallTool(ctx, p, s, tool("refund"))
				reasons[i] = d.Reason
			})
		}
		wg.Wait()
		assert.Len(t, s.sent, 2)
		assert.Equal(t, []retry.Reason{retry.ReasonRepeatedCall, retry.ReasonRepeatedCall}, reasons[1:])

		_, _ = retry.CallTool(over, p, s, tool("refund"))
		_, d = retry.CallTool(t.Context(), p, s, tool("refund"))
		assert.Equal(t, retry.ReasonRepeatedCall, d.Reason, "after a call that was not sent")
	})
}

// TestGuard_NoWait checks that different calls do not wait for each other.
func TestGuard_NoWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{answer: func(context.Context, string) (*mcp.CallToolResult, error) { return result.OK("done"), nil }}
		p := retry.Policy{Guard: new(retry.Guard)}
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund", map[string]any{"n": i})) })
		}
		wg.Wait()
		assert.Equal(t, time.Second, time.Since(start))
		for range 3 {
			wg.Go(func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund")) })
		}
		wg.Wait()
		assert.Equal(t, 4*time.Second, time.Since(start))
	})
}

// TestGuard_Panic checks that a panic in a session does not block later calls.
func TestGuard_Panic(t *testing.T) {
	t.Parallel()
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { panic("a bug") })
	p := guarded()
	for range 2 {
		assert.Panics(t, func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund")) })
	}
}

// TestGuard_EarlyLookup checks that only a lookup after a call releases it.
func TestGuard_EarlyLookup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{answer: func(_ context.Context, name string) (*mcp.CallToolResult, error) {
			if name == "find" {
				time.Sleep(time.Second) // in a synctest bubble
				return result.OK("none"), nil
			}
			return fails(errLost)
		}}
		p := guarded()
		look := p
		look.Safety = retry.SafetyReadOnly
		find := func() { _, _ = retry.CallTool(t.Context(), look, s, tool("find", order)) }
		var wg sync.WaitGroup
		wg.Go(find) // takes two seconds
		_, _ = retry.CallTool(t.Context(), p, s, tool("refund", order))
		wg.Wait()
		_, d := retry.CallTool(t.Context(), p, s, tool("refund", order))
		assert.Equal(t, retry.ReasonRepeatedCall, d.Reason)
		find()
		_, d = retry.CallTool(t.Context(), p, s, tool("refund", order))
		assert.Equal(t, retry.ReasonMayHaveTakenEffect, d.Reason)
	})
}

// TestGuard_NotSent checks that a call that was not sent changes nothing in the memory.
func TestGuard_NotSent(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	s := newCounter()
	p := guarded()
	for range 3 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("search"))
		_, _ = retry.CallTool(over, p, s, tool("search"))
	}
	assert.Equal(t, 2, s.sent)
	for n := range 4 {
		out, _ := retry.CallTool(t.Context(), p, s, tool("down"))
		assert.Equal(t, n >= 2, strings.Contains(out.Err.Hint, "tell the user what you could not do"))
		_, _ = retry.CallTool(over, p, s, tool("down"))
	}
}

// TestGuard_TurnsEnd checks that a guard holds nothing of successful calls and of calls
// that waited for them.
func TestGuard_TurnsEnd(t *testing.T) { //nolint:paralleltest // collects garbage
	synctest.Test(t, func(t *testing.T) {
		p := guarded()
		gone := func() weak.Pointer[slow] {
			s := &slow{answer: func(context.Context, string) (*mcp.CallToolResult, error) { return result.OK("done"), nil }}
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund")) })
			synctest.Wait()
			for i := range 8 {
				wg.Go(func() { // its context ends before its turn
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
					defer cancel()
					_, _ = retry.CallTool(ctx, p, s, tool("refund"))
				})
			}
			wg.Wait()
			for range 2 {
				_, d := retry.CallTool(t.Context(), p, s, tool("refund"))
				assert.Equal(t, retry.ReasonSucceeded, d.Reason)
			}
			return weak.Make(s)
		}()
		runtime.GC()
		assert.Nil(t, gone.Value())
		runtime.KeepAlive(p)
	})
}
