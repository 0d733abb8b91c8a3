package retry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// doing calls Do with a function that returns the errors in order, and the last one again and
// again. A nil error is a success.
func doing(ctx context.Context, p retry.Policy, errs ...error) (calls int, err error) {
	_, err = retry.Do(ctx, p, func(context.Context) (int, error) {
		calls++
		return calls, errs[min(calls, len(errs))-1]
	})
	return calls, err
}

// given returns the decision of an error of Do.
func given(t *testing.T, err error) retry.Decision {
	t.Helper()
	var e *retry.Error
	require.ErrorAs(t, err, &e)
	return e.Decision
}

func TestDo(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial 10.0.0.7")
	_, err := doing(t.Context(), quick, errRefused.WithCause(cause))
	d := given(t, err)
	assert.Equal(t, "propagate no_attempts_left 3", testutil.Words(d.Action, d.Reason, d.Attempt))
	assert.Positive(t, d.Waited)
	require.ErrorIs(t, err, cause)
	require.ErrorIs(t, err, errRefused)
	assert.NotContains(t, err.Error(), "10.0.0.7")
	assert.Contains(t, slog.AnyValue(err).Resolve().String(), "10.0.0.7", "in the log")

	for safety, want := range []string{"verify 1 verify 1", "propagate 3 propagate 3"} { // unknown, read-only
		p := retry.Policy{BaseDelay: -1, Safety: retry.Safety(safety)}
		calls, err := doing(t.Context(), p, errLost)
		more, errText := doing(t.Context(), p, toolerr.FromText("503 Service Unavailable"))
		assert.Equal(t, want, testutil.Words(given(t, err).Action, calls, given(t, errText).Action, more))
	}
	var none *toolerr.Error
	v, err := retry.Do(t.Context(), retry.Policy{}, func(context.Context) (int, error) { return 7, none })
	require.NoError(t, err, "nil *toolerr.Error")
	assert.Equal(t, 7, v)
}

// TestDo_Layers checks that the attempts of layers do not multiply, whatever is around the inner error.
func TestDo_Layers(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(error) error{
		"bare":   func(err error) error { return err },
		"cause":  func(err error) error { return toolerr.Transient("Upstream is down.").WithEffect("none").WithCause(err) },
		"join":   func(err error) error { return errors.Join(syscall.ECONNREFUSED, err) },
		"errorf": func(err error) error { return fmt.Errorf("%w: %w", syscall.ECONNREFUSED, err) },
	} {
		calls := 0
		_, err := retry.Do(t.Context(), quick, func(ctx context.Context) (int, error) {
			return retry.Do(ctx, quick, func(ctx context.Context) (int, error) {
				_, err := retry.Do(ctx, quick, func(context.Context) (int, error) { calls++; return 0, errRefused })
				return 0, wrap(err)
			})
		})
		got := testutil.Words(calls, given(t, err).Attempt, toolerr.From(err).Attempted[0].Attempts)
		assert.Equal(t, "3 1 3", got, name)
	}
	inner := fmt.Errorf("get: %w", errRefused.WithAttempted(toolerr.Attempt{Attempts: 3})) // of a tool
	calls, err := doing(t.Context(), quick, toolerr.Transient("Upstream is down.").WithEffect("none").WithCause(inner))
	assert.Equal(t, "1 3", testutil.Words(calls, toolerr.From(err).Attempted[0].Attempts))
	template := errLost.WithAttempted(toolerr.Attempt{})
	_, _ = doing(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, template)
	assert.Equal(t, toolerr.EffectUnknown, template.Effect, "it is not changed")
}

// TestDo_AttemptTimeout checks that an attempt that times out is repeated only if that is safe.
func TestDo_AttemptTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for safety, want := range map[retry.Safety]int{retry.SafetyReadOnly: 2, retry.SafetyUnknown: 1} {
			attempts := 0
			start := time.Now()
			p := retry.Policy{AttemptTimeout: time.Second, BaseDelay: -1, Safety: safety}
			_, err := retry.Do(t.Context(), p, func(ctx context.Context) (int, error) {
				if attempts++; attempts == 1 {
					<-ctx.Done()
				}
				return 1, ctx.Err()
			})
			assert.Equal(t, testutil.Words(want, want == 1, "1s"), testutil.Words(attempts, err != nil, time.Since(start)))
		}
		w := newWorld(gives("done"))
		w.on("tools/call", func(ctx context.Context, _ mcp.Request) (mcp.Result, error) {
			if w.refuse.Add(1) == 1 {
				<-ctx.Done()
			}
			return nil, nil
		})
		p := retry.Policy{AttemptTimeout: 50 * time.Millisecond}
		_, d := retry.CallTool(t.Context(), p, w.client(t).AsSession(), tool("read"))
		assert.Equal(t, "accept 2", testutil.Words(d.Action, d.Attempt))
	})
}

// A permanentError declares itself permanent.
type permanentError struct{ error }

func (permanentError) Permanent() bool { return true }

func (e permanentError) Unwrap() error { return e.error }

// TestDo_Permanent checks that a declared permanent error is not repeated, even if a repeat is safe.
func TestDo_Permanent(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"authored":      errLost.WithRetryable(false),
		"a wrapper":     permanentError{context.DeadlineExceeded},
		"a wrapped one": fmt.Errorf("get: %w", permanentError{os.ErrDeadlineExceeded}),
		"unclassified":  errors.New("ledger 7"),
	} {
		for _, safety := range []retry.Safety{retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed} {
			calls, got := doing(t.Context(), retry.Policy{Safety: safety, BaseDelay: -1}, err)
			require.Error(t, got)
			assert.Equal(t, 1, calls, "%s: %v", name, safety)
		}
	}
	// The same applies to an error of a session.
	err, p := permanentError{errLost.WithRetryable(false)}, retry.Policy{Safety: retry.SafetyReadOnly}
	_, d := retry.CallTool(t.Context(), p, &script{answers: []any{err}}, tool("t"))
	assert.Equal(t, "1 propagate", testutil.Words(d.Attempt, p.Decide(result.Parse(nil, err), retry.State{}).Action))
}

// TestDo_FailedResult checks a failed result that a function returns without an error.
func TestDo_FailedResult(t *testing.T) {
	t.Parallel()
	busy, refused := toolerr.Unavailable("down", 0), toolerr.Business("no")
	for name, test := range map[string]struct {
		answers []*mcp.CallToolResult
		calls   int
		err     string
	}{
		"retryable":     {[]*mcp.CallToolResult{sent(busy), result.OK("done")}, 2, ""},
		"not retryable": {[]*mcp.CallToolResult{sent(refused), result.OK("done")}, 1, "no"},
		"a success":     {[]*mcp.CallToolResult{result.OK("done")}, 1, ""},
		"nothing":       {[]*mcp.CallToolResult{nil}, 1, ""},
	} {
		calls, isError := 0, test.err != "" || name == "nothing" // which is no outcome
		next := func() *mcp.CallToolResult { calls++; return test.answers[calls-1] }
		_, err := retry.Do(t.Context(), quick, func(context.Context) (result.Outcome, error) {
			return result.Parse(next(), nil), (*toolerr.Error)(nil)
		})
		assert.Equal(t, testutil.Words(test.calls, isError), testutil.Words(calls, err != nil), name)
		calls = 0
		_, err = retry.Do(t.Context(), quick, func(context.Context) (*result.Outcome, error) {
			out := result.Parse(next(), (*toolerr.Error)(nil))
			return &out, nil
		})
		assert.Equal(t, testutil.Words(test.calls, isError), testutil.Words(calls, err != nil), name)
		calls = 0
		res, err := retry.Do(t.Context(), quick, func(context.Context) (*mcp.CallToolResult, error) { return next(), nil })
		assert.Equal(t, testutil.Words(test.calls, test.err != ""), testutil.Words(calls, err != nil), name)
		assert.Same(t, test.answers[calls-1], res, name)
		if err != nil {
			_ = given(t, err)
			require.ErrorContains(t, err, test.err, name)
		}
	}
}

// An answeredError is an error of another library with the status of an answer.
type answeredError struct {
	StatusCode int
	RetryAfter time.Duration
}

func (*answeredError) Error() string { return "" }

// TestDo_InsideTool retries inside a tool, with a limit for attempts and time. The agent does not see failures that the
// tool recovers from. Other failures list the attempts, and the agent does not repeat them.
func TestDo_InsideTool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		call := func(p retry.Policy, failures int, limit time.Duration) (result.Outcome, retry.Decision) {
			requests = 0
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
			server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: quiet, Timeout: limit}))
			result.AddTool(server, &mcp.Tool{Name: "weather", Annotations: readOnly},
				func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
					sky, err := retry.Do(ctx, p, func(context.Context) (string, error) {
						if requests++; requests <= failures {
							return "", errRefused
						}
						return "sunny", nil
					})
					return nil, map[string]string{"sky": sky}, err
				})
			agent := retry.Policy{Safety: retry.SafetyReadOnly}
			return retry.CallTool(t.Context(), agent, testutil.Connect(t, server, nil), tool("weather"))
		}
		out, d := call(quick, 2, 0)
		require.NoError(t, out.AsError(), "recovered failure")
		assert.Equal(t, "3 1", testutil.Words(requests, d.Attempt))

		out, d = call(quick, 100, 0)
		assert.Equal(t, "3 1 propagate already_retried", testutil.Words(requests, d.Attempt, d.Action, d.Reason))
		require.Len(t, out.Err.Attempted, 1)
		a := out.Err.Attempted[0]
		assert.Equal(t, "3 transient unavailable", testutil.Words(a.Attempts, a.Category, a.Code))
		assert.Contains(t, out.Text(), `"attempted":[{"attempts":3,`)

		// The time limit of the handler is the budget of time: the next attempt would start past it.
		const limit, wait = 300 * time.Millisecond, 60 * time.Millisecond
		out, d = call(retry.Policy{MaxAttempts: 100, BaseDelay: wait, MaxDelay: wait}, 100, limit)
		assert.Equal(t, 1, d.Attempt)
		assert.GreaterOrEqual(t, requests, 5, "waits of up to 60 ms in 300 ms")
		require.Len(t, out.Err.Attempted, 1)
		assert.Equal(t, requests, out.Err.Attempted[0].Attempts)
		assert.LessOrEqual(t, out.Err.Attempted[0].Elapsed, limit)
	})
}
