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

// A function is the function to retry.
type function = func(context.Context) (string, error)

// A call calls a function, and retries it on failure.
type call = func(context.Context, function) (string, error)

// settings are the options that all libraries get, in neutral terms.
type settings struct {
	attempts int           // in all
	base     time.Duration // the first wait, which grows exponentially
	bound    time.Duration // on the sum of all waits, if the library has one; 0 is its default
	// retryable and hint classify an error, for libraries that do not do so themselves. Either may
	// be nil; retry.Do needs neither.
	retryable func(error) bool
	hint      func(error) time.Duration
}

// permanent reports whether the predicate forbids a retry after this error.
func (s settings) permanent(err error) bool {
	return err != nil && s.retryable != nil && !s.retryable(err)
}

// hintOf returns the wait that the server asked for, or 0.
func (s settings) hintOf(err error) time.Duration {
	if err == nil || s.hint == nil {
		return 0
	}
	return s.hint(err)
}

// A library retries functions. Its prepare function creates once whatever is documented as
// reusable; each call creates the rest.
type library struct {
	name    string
	prepare func(settings) call
}

// libraries lists the libraries in the order of the table. Each is used as its documentation shows.
// A server's hint is passed to libraries that accept one; retry.Do finds it itself.
var libraries = []library{
	{"toolerr-go", prepareToolerr},
	{"cenkalti/backoff", prepareCenkalti},
	{"failsafe-go", prepareFailsafe},
	{"avast/retry-go", prepareAvast},
	{"sethvargo/go-retry", prepareSethvargo},
	{"bare loop", prepareBareLoop},
}

// prepareToolerr reuses one Policy value.
func prepareToolerr(s settings) call {
	policy := retry.Policy{MaxAttempts: s.attempts, BaseDelay: s.base, ThrottledDelay: s.base, MaxWait: s.bound}
	return func(ctx context.Context, fn function) (string, error) { return retry.Do(ctx, policy, fn) }
}

// prepareCenkalti: Retry resets a BackOff, so sequential calls may share it and the options. The
// type of an error marks it as permanent, or contains the wait.
func prepareCenkalti(s settings) call {
	exponential := backoff.NewExponentialBackOff()
	exponential.InitialInterval = s.base
	options := []backoff.RetryOption{backoff.WithBackOff(exponential), backoff.WithMaxTries(uint(s.attempts))}
	if s.bound > 0 {
		options = append(options, backoff.WithMaxElapsedTime(s.bound))
	}
	return func(ctx context.Context, fn function) (string, error) {
		return backoff.Retry(ctx, func() (string, error) {
			v, err := fn(ctx)
			if s.permanent(err) {
				return v, backoff.Permanent(err)
			}
			if hint := s.hintOf(err); hint > 0 {
				err = backoff.RetryAfter(hint, err)
			}
			return v, err
		}, options...)
	}
}

// longestWait limits the backoff of failsafe-go. It is the default MaxDelay of retry.Policy.
const longestWait = 20 * time.Second

// prepareFailsafe shares an Executor, which is safe for concurrent use; WithContext copies it for
// each call. The DelayFunc returns the hint, or -1 if there is none.
func prepareFailsafe(s settings) call {
	builder := retrypolicy.NewBuilder[string]().
		WithMaxAttempts(s.attempts).
		WithBackoff(s.base, longestWait).
		WithMaxDuration(s.bound) // 0 is none
	if s.retryable != nil {
		builder = builder.HandleIf(func(_ string, err error) bool { return err != nil && s.retryable(err) })
	}
	if s.hint != nil {
		builder = builder.WithDelayFunc(func(exec failsafe.ExecutionAttempt[string]) time.Duration {
			if hint := s.hintOf(exec.LastError()); hint > 0 {
				return hint
			}
			return -1
		})
	}
	executor := failsafe.With(builder.Build())
	return func(ctx context.Context, fn function) (string, error) {
		return executor.WithContext(ctx).Get(func() (string, error) { return fn(ctx) })
	}
}

// prepareAvast: the context is an option of the retrier, so each call needs a new one.
func prepareAvast(s settings) call {
	options := avastOptions(s)
	return func(ctx context.Context, fn function) (string, error) {
		all := append(options[:len(options):len(options)], avast.Context(ctx))
		return avast.NewWithData[string](all...).Do(func() (string, error) { return fn(ctx) })
	}
}

// prepareAvastOnce is prepareAvast for calls with the same context, which can share a retrier.
func prepareAvastOnce(s settings) call {
	var retrier *avast.RetrierWithData[string]
	return func(ctx context.Context, fn function) (string, error) {
		if retrier == nil {
			retrier = avast.NewWithData[string](append(avastOptions(s), avast.Context(ctx))...)
		}
		return retrier.Do(func() (string, error) { return fn(ctx) })
	}
}

// avastOptions passes on a hint through a DelayType. The library cannot limit the sum of all waits.
func avastOptions(s settings) []avast.Option {
	options := []avast.Option{avast.Attempts(uint(s.attempts)), avast.Delay(s.base), avast.MaxJitter(s.base)}
	if s.retryable != nil {
		options = append(options, avast.RetryIf(s.retryable))
	}
	if s.hint == nil {
		return options
	}
	usual := avast.CombineDelay(avast.BackOffDelay, avast.RandomDelay) // the default
	return append(options, avast.DelayType(func(n uint, err error, c avast.DelayContext) time.Duration {
		if hint := s.hintOf(err); hint > 0 {
			return hint
		}
		return usual(n, err, c)
	}))
}

// prepareSethvargo: a Backoff counts the retries, so each call needs a new one. It does
// not get the error, so it cannot honor a hint.
func prepareSethvargo(s settings) call {
	return func(ctx context.Context, fn function) (string, error) {
		b := sethvargo.WithMaxRetries(uint64(s.attempts-1), sethvargo.NewExponential(s.base))
		if s.bound > 0 {
			b = sethvargo.WithMaxDuration(s.bound, b)
		}
		return sethvargo.DoValue(ctx, b, func(ctx context.Context) (string, error) {
			v, err := fn(ctx)
			if err == nil || s.permanent(err) {
				return v, err
			}
			return v, sethvargo.RetryableError(err)
		})
	}
}

func prepareBareLoop(s settings) call {
	return func(ctx context.Context, fn function) (string, error) { return bareLoop(ctx, s, fn) }
}
