package main

import (
	"context"
	"testing"
	"time"

	avast "github.com/avast/retry-go/v5"
	"github.com/cenkalti/backoff/v7"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	sethvargo "github.com/sethvargo/go-retry"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// BenchmarkFirstTry is what a library costs where nothing fails.
func BenchmarkFirstTry(b *testing.B) {
	compare(b, 500*time.Millisecond, func(context.Context) (string, error) { return "done", nil })
}

// BenchmarkFailTwice is two failures and a success, with the smallest wait that
// can be had, so that it is the library that is measured: its judging of the
// error and its timer.
func BenchmarkFailTwice(b *testing.B) {
	refused, calls := throttled(0), 0
	compare(b, time.Nanosecond, func(context.Context) (string, error) {
		if calls++; calls%3 != 0 {
			return "", refused
		}
		return "done", nil
	})
}

// compare calls fn in every way: 3 attempts, an exponential backoff, and a
// context for each call. What a library says may be used again is made once,
// outside of the loop; what its documentation shows for a call is inside.
func compare(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	for _, way := range []struct {
		name string
		run  func(*testing.B, time.Duration, function)
	}{
		{"bare loop", benchBareLoop},
		{"toolerr-go", benchToolerr},
		{"cenkalti backoff", benchCenkalti},
		{"failsafe-go", benchFailsafe},
		{"avast retry-go", benchAvast},
		{"avast retry-go, one context", benchAvastReused},
		{"sethvargo go-retry", benchSethvargo},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			way.run(b, base, fn)
		})
	}
}

func benchBareLoop(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx := b.Context()
	for b.Loop() {
		if _, err := bareLoop(ctx, 3, base, fn); err != nil {
			b.Fatal(err)
		}
	}
}

// A Policy is a plain value. Its waits are drawn from zero up, and for none there
// is no timer; its log is off, see TestMain.
func benchToolerr(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx, policy := b.Context(), retry.Policy{BaseDelay: base, ThrottledDelay: base}
	for b.Loop() {
		if _, err := retry.Do(ctx, policy, fn); err != nil {
			b.Fatal(err)
		}
	}
}

// A BackOff is reset by Retry, so calls that follow each other may share one.
func benchCenkalti(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx, exponential := b.Context(), backoff.NewExponentialBackOff()
	exponential.InitialInterval = base
	for b.Loop() {
		operation := func() (string, error) { return fn(ctx) }
		if _, err := backoff.Retry(ctx, operation, backoff.WithBackOff(exponential), backoff.WithMaxTries(3)); err != nil {
			b.Fatal(err)
		}
	}
}

// An Executor is safe for concurrent use, and copied for a context.
func benchFailsafe(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx := b.Context()
	executor := failsafe.With(retrypolicy.NewBuilder[string]().WithMaxAttempts(3).WithBackoff(base, longestWait).Build())
	for b.Loop() {
		if _, err := executor.WithContext(ctx).Get(func() (string, error) { return fn(ctx) }); err != nil {
			b.Fatal(err)
		}
	}
}

// The context is an option of the retrier, so each call needs a new one.
func benchAvast(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx := b.Context()
	for b.Loop() {
		retrier := avast.NewWithData[string](avast.Context(ctx), avast.Attempts(3), avast.Delay(base), avast.MaxJitter(base))
		if _, err := retrier.Do(func() (string, error) { return fn(ctx) }); err != nil {
			b.Fatal(err)
		}
	}
}

// Without a context for each call the retrier can be used again.
func benchAvastReused(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx := b.Context()
	retrier := avast.NewWithData[string](avast.Context(ctx), avast.Attempts(3), avast.Delay(base), avast.MaxJitter(base))
	for b.Loop() {
		if _, err := retrier.Do(func() (string, error) { return fn(ctx) }); err != nil {
			b.Fatal(err)
		}
	}
}

// A Backoff counts the retries, so each call needs a new one.
func benchSethvargo(b *testing.B, base time.Duration, fn function) {
	b.Helper()
	ctx := b.Context()
	for b.Loop() {
		backoff := sethvargo.WithMaxRetries(2, sethvargo.NewExponential(base))
		operation := func(ctx context.Context) (string, error) {
			v, err := fn(ctx)
			return v, sethvargo.RetryableError(err)
		}
		if _, err := sethvargo.DoValue(ctx, backoff, operation); err != nil {
			b.Fatal(err)
		}
	}
}
