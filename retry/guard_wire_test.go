package retry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var (
	order = map[string]any{"order": "ORD-7", "amount": 40}
	other = map[string]any{"order": "ORD-8", "amount": 40}
)

func always(err error) func(int) error { return func(int) error { return err } }

// once returns err for the first booking.
func once(err error) func(int) error {
	return func(n int) error {
		if n == 1 {
			return err
		}
		return nil
	}
}

// TestGuard_ParallelCalls makes ten identical refunds concurrently. If the reply is lost,
// one is sent.
func TestGuard_ParallelCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ours bool
		tool string
		ends func(int) error
		want func(*testing.T, *ledger, []result.Outcome)
	}{
		"the reply is lost":   {true, "refund", always(errLost), oneBooked},
		"not stated":          {true, "refund", always(toolerr.Transient("The mail was not sent.")), oneBooked},
		"foreign text":        {false, "refund", always(errors.New("Refund issued. Could not send mail: 503 Service Unavailable")), oneBooked},
		"a bug":               {false, "refund", always(errors.New("TypeError: x is undefined")), oneBooked},
		"applied":             {true, "refund", always(toolerr.Business("No receipt.").WithEffect(toolerr.EffectApplied)), oneBooked},
		"keyed, lost":         {true, "pay", always(errLost), oneKey},
		"keyed, then refused": {true, "pay", lostThenConflict, oneKey},
		"success": {true, "refund", always(nil), func(t *testing.T, l *ledger, outs []result.Outcome) {
			t.Helper()
			assert.Equal(t, 10, l.books(), "bookings")
			assert.Equal(t, 1, l.most, "concurrent bookings")
			for _, out := range outs {
				assert.NoError(t, out.AsError())
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachCaller(t, test.ours, test.ends, func(t *testing.T, l *ledger, call modelCall) {
				t.Helper()
				outs := make([]result.Outcome, 10)
				var wg sync.WaitGroup
				for i := range outs {
					wg.Go(func() { outs[i] = call(t.Context(), test.tool, order) })
				}
				wg.Wait()
				test.want(t, l, outs)
			})
		})
	}
}

func oneBooked(t *testing.T, l *ledger, outs []result.Outcome) {
	t.Helper()
	assert.Equal(t, 1, l.books())
	stopped := 0
	for _, out := range outs {
		require.Error(t, out.AsError())
		assert.NotEqual(t, toolerr.EffectNone, out.Err.Effect, "after a booking")
		assert.NotContains(t, out.Text(), `"isRetryable":true`)
		if strings.Contains(out.Err.Message, "was not sent again") {
			stopped++
		}
	}
	assert.Equal(t, 9, stopped)
}

func oneKey(t *testing.T, l *ledger, outs []result.Outcome) {
	t.Helper()
	assert.Len(t, l.byKey, 1, "keys")
	for _, out := range outs {
		require.Error(t, out.AsError())
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
	}
}

func lostThenConflict(n int) error {
	if n <= 3 {
		return errLost
	}
	return toolerr.Validation("Other arguments.").WithCode(toolerr.CodeConflict)
}

// TestGuard_Lookup makes many calls between two refunds whose replies are lost. Only a lookup
// of the same order releases the first, and once.
func TestGuard_Lookup(t *testing.T) {
	t.Parallel()
	eachCaller(t, true, always(errLost), func(t *testing.T, l *ledger, call modelCall) {
		t.Helper()
		refund := func() int {
			_ = call(t.Context(), "refund", order)
			return l.books()
		}
		require.Equal(t, 1, refund())
		for range 3 {
			_ = call(t.Context(), "find", other)
			_ = call(t.Context(), "find", map[string]any{"limit": 40})
			_ = call(t.Context(), "note", order)
			assert.Equal(t, 1, refund(), "after unrelated calls")
		}
		for n := range 3 {
			_ = call(t.Context(), "find", map[string]any{"id": "ORD-7", "again": n})
			assert.Equal(t, n+2, refund(), "after a lookup")
			assert.Equal(t, n+2, refund(), "second repeat after a lookup")
		}
		_ = call(t.Context(), "refund", other) // the fifth, a new call
		_ = call(t.Context(), "find", map[string]any{"id": "ORD-8"})
		assert.Equal(t, 5, refund(), "after a lookup of another order")
	})
}

// TestGuard_Crowd checks that other failures never displace a call that may have taken
// effect.
func TestGuard_Crowd(t *testing.T) {
	t.Parallel()
	l := newLedger(true, func(n int) error {
		if n == 1 || n == 2 {
			return errLost
		}
		return errPath
	})
	call := byCallTool(t, overPipe(t, l))
	_ = call(t.Context(), "refund", order)
	_ = call(t.Context(), "pay", order)
	for n := range 1500 {
		_ = call(t.Context(), "refund", map[string]any{"n": n})
	}
	before := l.books()
	_ = call(t.Context(), "refund", order)
	assert.Equal(t, before, l.books())
	_ = call(t.Context(), "pay", order)
	assert.Len(t, l.byKey, 1)
}

// TestGuard_RetryableFailures checks that a call with a retryable failure is sent each
// time, and that its hint is to report it from the third failure.
func TestGuard_RetryableFailures(t *testing.T) {
	t.Parallel()
	for hint, ends := range map[string]error{"": errRefused, "Ask Ann.": errRefused.WithHint("Ask Ann.")} {
		t.Run(hint, func(t *testing.T) {
			t.Parallel()
			eachCaller(t, true, always(ends), func(t *testing.T, l *ledger, call modelCall) {
				t.Helper()
				for n := 1; n <= 5; n++ {
					before := l.books()
					out := call(t.Context(), "refund", order)
					require.Error(t, out.AsError())
					assert.Greater(t, l.books(), before, "bookings")
					assert.NotContains(t, out.Text(), `"isRetryable":true`)
					assert.Contains(t, out.Err.Hint, hint)
					if told := "tell the user what you could not do"; n >= 3 {
						assert.Contains(t, out.Err.Hint, told)
						assert.Contains(t, out.Err.Hint, fmt.Sprint(n, " times"))
					} else {
						assert.NotContains(t, out.Err.Hint, told)
					}
				}
				_ = call(t.Context(), "note", order)
				assert.NotContains(t, call(t.Context(), "refund", order).Err.Hint, "6 times", "after another write")
			})
		})
	}
}

// TestGuard_DeadServer checks that a write during which a server over stdio exits is never
// repeated.
func TestGuard_DeadServer(t *testing.T) {
	t.Parallel()
	died := filepath.Join(t.TempDir(), "died")
	c := &retry.Client{Safety: retry.SafetyOf, Policy: guarded(), Connect: func(ctx context.Context) (retry.ClientSession, error) {
		command := exec.Command(os.Args[0]) //nolint:gosec // the test itself
		command.Env = append(os.Environ(), beServer+"="+died)
		return newSDKClient().Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	}}
	defer func() { _ = c.Close() }()
	_, d := call(t, c, "write")
	assert.Equal(t, retry.ActionVerify, d.Action)
	require.FileExists(t, died)
	for range 3 {
		out, d := call(t, c, "write")
		assert.Equal(t, retry.Decision{Action: retry.ActionVerify, Reason: retry.ReasonRepeatedCall, Tool: "write"}, d)
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
	}
	out, _ := call(t, c, "read")
	assert.Equal(t, "alive", out.Text(), "answer of the new server")
}
