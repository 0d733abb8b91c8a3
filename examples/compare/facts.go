package main

import (
	"errors"
	"sync"
	"time"
)

// facts describe the observed behavior of a library.
type facts struct {
	// returns tells when the library gives up if the deadline precedes the next attempt, and
	// lastError whether errors.Is then finds the function's last error.
	returns   string // "at once" or "at the deadline"
	lastError bool
	// hint states what the library does if the server asks for a wait longer than the first one;
	// longHint, if it asks for 10 minutes.
	hint, longHint string // "waits", "calls early" or "gives up"
	// bounded states whether the library can limit the sum of all waits.
	bounded bool
	// repeats states whether the library repeats a call that may have been executed.
	repeats bool
}

// A scale holds the durations of the trials.
type scale struct {
	base     time.Duration // the first wait
	deadline time.Duration // shorter than every wait
	hint     time.Duration // longer than the first wait
	bound    time.Duration
	patience time.Duration // how long the caller waits
}

// longHint is longer than callers are willing to wait.
const longHint = 10 * time.Minute

// observe runs all trials of a library, concurrently, and returns what they show.
func observe(l library, s scale) (f facts) {
	var wg sync.WaitGroup
	wg.Go(func() {
		// The error has a hint, because the wait would otherwise be random, perhaps zero.
		err := throttled(s.hint)
		c := l.try(trial{settings: settings{attempts: 3, base: s.base}, err: err, deadline: s.deadline})
		f.returns, f.lastError = "at once", errors.Is(c.err, err)
		if c.stopped {
			f.returns = "at the deadline"
		}
	})
	wg.Go(func() { f.hint = observeHint(l, s, s.hint) })
	wg.Go(func() { f.longHint = observeHint(l, s, longHint) })
	wg.Go(func() {
		c := l.try(trial{
			settings: settings{attempts: 1000, base: s.base, bound: s.bound}, err: throttled(0),
			patience: s.patience,
		})
		f.bounded = !c.stopped
	})
	wg.Go(func() {
		c := l.try(trial{settings: settings{attempts: 2, base: s.base}, err: errUnanswered})
		f.repeats = c.calls > 1
	})
	wg.Wait()
	return f
}

func observeHint(l library, s scale, hint time.Duration) string {
	c := l.try(trial{settings: settings{attempts: 2, base: s.base}, err: throttled(hint), patience: s.patience})
	switch {
	case c.calls > 1 && c.gap < hint:
		return "calls early"
	case c.calls > 1 || c.stopped:
		return "waits"
	}
	return "gives up"
}
