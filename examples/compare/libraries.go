package main

import (
	"context"
	"time"

	avast "github.com/avast/retry-go/v5"
	"github.com/cenkalti/backoff/v7"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	sethvargo "github.com/sethvargo/go-retry"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A function is what is called until it succeeds.
type function = func(context.Context) (string, error)

// settings are what every library is told, by its own means.
type settings struct {
	attempts int           // in all
	base     time.Duration // the first wait, which grows exponentially
	bound    time.Duration // on all waits together, where there is a way; 0 leaves the default
}

// A library is a way to call a function until it succeeds.
type library struct {
	name string
	call func(ctx context.Context, s settings, fn function) (string, error)
}

// libraries are in the order of the table. Each is used as its documentation
// shows. A server's hint is handed to those that have a place for one; retry.Do
// finds it by itself.
var libraries = []library{
	{"toolerr-go", callToolerr},
	{"cenkalti/backoff", callCenkalti},
	{"failsafe-go", callFailsafe},
	{"avast/retry-go", callAvast},
	{"sethvargo/go-retry", callSethvargo},
	{"bare loop", callBareLoop},
}

func callToolerr(ctx context.Context, s settings, fn function) (string, error) {
	policy := retry.Policy{MaxAttempts: s.attempts, BaseDelay: s.base, ThrottledDelay: s.base, MaxWait: s.bound}
	return retry.Do(ctx, policy, fn)
}

// callCenkalti passes a hint on as a RetryAfterError.
func callCenkalti(ctx context.Context, s settings, fn function) (string, error) {
	exponential := backoff.NewExponentialBackOff()
	exponential.InitialInterval = s.base
	options := []backoff.RetryOption{backoff.WithBackOff(exponential), backoff.WithMaxTries(uint(s.attempts))}
	if s.bound > 0 {
		options = append(options, backoff.WithMaxElapsedTime(s.bound))
	}
	return backoff.Retry(ctx, func() (string, error) {
		v, err := fn(ctx)
		if hint := hintOf(err); hint > 0 {
			err = backoff.RetryAfter(hint, err)
		}
		return v, err
	}, options...)
}

// callFailsafe passes a hint on by a DelayFunc, which returns -1 for none.
func callFailsafe(ctx context.Context, s settings, fn function) (string, error) {
	policy := retrypolicy.NewBuilder[string]().
		WithMaxAttempts(s.attempts).
		WithBackoff(s.base, longestWait).
		WithDelayFunc(func(exec failsafe.ExecutionAttempt[string]) time.Duration {
			if hint := hintOf(exec.LastError()); hint > 0 {
				return hint
			}
			return -1
		}).
		WithMaxDuration(s.bound). // 0 is none
		Build()
	return failsafe.With(policy).WithContext(ctx).Get(func() (string, error) { return fn(ctx) })
}

// longestWait is where failsafe-go wants to know the longest wait: the default
// of retry.Policy.
const longestWait = 20 * time.Second

// callAvast passes a hint on by a DelayType. There is no bound on all waits.
func callAvast(ctx context.Context, s settings, fn function) (string, error) {
	usual := avast.CombineDelay(avast.BackOffDelay, avast.RandomDelay) // the default
	return avast.NewWithData[string](
		avast.Context(ctx),
		avast.Attempts(uint(s.attempts)),
		avast.Delay(s.base),
		avast.DelayType(func(n uint, err error, c avast.DelayContext) time.Duration {
			if hint := hintOf(err); hint > 0 {
				return hint
			}
			return usual(n, err, c)
		}),
	).Do(func() (string, error) { return fn(ctx) })
}

// callSethvargo has no place for a hint: a Backoff does not see the error.
func callSethvargo(ctx context.Context, s settings, fn function) (string, error) {
	b := sethvargo.WithMaxRetries(uint64(s.attempts-1), sethvargo.NewExponential(s.base))
	if s.bound > 0 {
		b = sethvargo.WithMaxDuration(s.bound, b)
	}
	return sethvargo.DoValue(ctx, b, func(ctx context.Context) (string, error) {
		v, err := fn(ctx)
		return v, sethvargo.RetryableError(err)
	})
}

func callBareLoop(ctx context.Context, s settings, fn function) (string, error) {
	return bareLoop(ctx, s.attempts, s.base, fn)
}
