package retry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestDo_Allocations checks that Do allocates one timer for all waits, the tool error for each
// error of another library, and the returned error with the attempts.
func TestDo_Allocations(t *testing.T) {
	const timer, gaveUp = 3, 9 // a time.Timer is three
	refused := toolerr.Transient("busy").WithEffect(toolerr.EffectNone)
	waits := refused.WithRetryAfter(1)
	for name, test := range map[string]struct {
		err    error
		fails  int
		policy retry.Policy
		most   int
	}{
		"first try":              {nil, 0, retry.Policy{}, 0},
		"first try, with budget": {nil, 0, retry.Policy{Budget: new(retry.Budget)}, 0},
		"without a wait":         {refused, 2, retry.Policy{BaseDelay: -1}, 0},
		"one wait":               {waits, 1, retry.Policy{BaseDelay: -1}, timer},
		"nine waits":             {waits, 9, retry.Policy{BaseDelay: -1, MaxAttempts: 10}, timer},
		"gives up":               {waits, 3, retry.Policy{BaseDelay: -1}, timer + gaveUp},
		"not retryable":          {toolerr.Business("no"), 1, retry.Policy{}, gaveUp},
		"of another library":     {&answeredError{StatusCode: 429, RetryAfter: 1}, 2, retry.Policy{ThrottledDelay: -1}, timer + 4}, // two for each error: what is read, and the tool error
	} {
		p := test.policy
		p.Logger = slog.New(slog.DiscardHandler)
		fewest := allocs.Fewest(func() {
			calls := 0
			_, _ = retry.Do(t.Context(), p, func(context.Context) (int, error) {
				if calls++; calls <= test.fails {
					return 0, test.err
				}
				return 1, nil
			})
		})
		assert.LessOrEqual(t, fewest, test.most, name)
	}
}

// TestDo_ClassifiesOnce checks that an error is classified once for each attempt.
func TestDo_ClassifiesOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	_ = toolerr.From(temporary{&asked})
	per := asked
	require.Positive(t, per)
	asked = 0
	_, err := retry.Do(t.Context(), retry.Policy{BaseDelay: -1, ThrottledDelay: -1, Logger: slog.New(slog.DiscardHandler)}, func(context.Context) (int, error) {
		return 0, temporary{&asked}
	})
	assert.Equal(t, 3*per, asked)
	var e *toolerr.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, toolerr.CodeRateLimited, e.Code)
	_ = err.Error()
	assert.Equal(t, 3*per, asked)
}

// temporary counts the calls of its StatusCode method.
type temporary struct{ asked *int }

func (temporary) Error() string { return "busy" }

func (e temporary) StatusCode() int {
	*e.asked++
	return 429
}

// TestError_SameForAll checks that concurrent callers get the same tool error.
func TestError_SameForAll(t *testing.T) {
	t.Parallel()
	busy := toolerr.Transient("busy").WithEffect(toolerr.EffectNone)
	_, err := retry.Do(t.Context(), retry.Policy{BaseDelay: -1}, func(context.Context) (int, error) { return 0, busy })
	found := make(chan *toolerr.Error)
	for range 8 {
		go func() {
			var e *toolerr.Error
			errors.As(fmt.Errorf("work: %w", err), &e)
			found <- e
		}()
	}
	first := <-found
	for range 7 {
		assert.Same(t, first, <-found)
	}
	require.Len(t, first.Attempted, 1)
	assert.Equal(t, 3, first.Attempted[0].Attempts)
	assert.Same(t, first, toolerr.From(err))
}

// TestGuard_Allocations checks that a success does not search the remembered calls.
func TestGuard_Allocations(t *testing.T) {
	s := &fakeSession{}
	guard := new(retry.Guard)
	p := retry.Policy{Guard: guard, Safety: retry.SafetyReadOnly, Logger: slog.New(slog.DiscardHandler)}
	ask := func() {
		_, d := retry.CallTool(t.Context(), p, s, tool("orders", map[string]any{"order_id": "ORD-none", "limit": 20}))
		assert.Equal(t, retry.ActionAccept, d.Action)
	}
	before := allocs.Fewest(ask)
	fail := &script{answers: []any{toolerr.Validation("no")}}
	for i := range 1000 {
		retry.CallTool(t.Context(), p, fail, tool("pay", map[string]any{"order_id": fmt.Sprint("ORD-", i)}))
	}
	assert.LessOrEqual(t, allocs.Fewest(ask), before)
	assert.LessOrEqual(t, before, 82) // two by the race detector's build
	out, d := retry.CallTool(t.Context(), p, fail, tool("pay", map[string]any{"order_id": "ORD-999"}))
	assert.Equal(t, retry.ReasonRepeatedCall, d.Reason, "failure %v", out.Kind == result.KindFailure)
}
