package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// life has the durations of a real program, for a fake clock.
var life = scale{
	base: 500 * time.Millisecond, deadline: 300 * time.Millisecond, hint: 3 * time.Second,
	bound: time.Minute, patience: time.Hour,
}

// known are the facts about each library, with its defaults and the settings of libraries.go.
var known = map[string]facts{
	"toolerr-go": {
		returns: "at once", lastError: true, hint: "waits", longHint: "gives up", bounded: true,
		repeats: false,
	},
	"cenkalti/backoff": {
		returns: "at the deadline", lastError: true, hint: "waits", longHint: "waits", bounded: true,
		repeats: true,
	},
	"failsafe-go": {
		returns: "at the deadline", lastError: false, hint: "waits", longHint: "waits", bounded: true,
		repeats: true,
	},
	"avast/retry-go": {
		returns: "at the deadline", lastError: true, hint: "waits", longHint: "waits", bounded: false,
		repeats: true,
	},
	"sethvargo/go-retry": {
		returns: "at the deadline", lastError: false, hint: "calls early", longHint: "calls early",
		bounded: true, repeats: true,
	},
	"bare loop": {
		returns: "at the deadline", lastError: false, hint: "calls early", longHint: "calls early",
		bounded: false, repeats: true,
	},
}

func TestFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.Len(t, known, len(libraries))
		for _, l := range libraries {
			assert.Equal(t, known[l.name], observe(l, life), l.name)
		}
	})
}

// All of them retry, and stop when they should.
func TestThreeAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		three, refused := settings{attempts: 3, base: life.base}, throttled(0)
		for _, l := range libraries {
			c := l.try(trial{settings: three, err: refused})
			assert.Equal(t, 3, c.calls, l.name)
			require.ErrorIs(t, c.err, refused, l.name)

			calls := 0
			v, err := l.prepare(three)(t.Context(), func(context.Context) (string, error) {
				if calls++; calls < 3 {
					return "", refused
				}
				return "done", nil
			})
			require.NoError(t, err, l.name)
			assert.Equal(t, "done", v, l.name)
		}
	})
}

// At once means that no time passes. The others sleep until the deadline, although no
// attempt can start before it.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, l := range libraries {
			c := l.try(trial{
				settings: settings{attempts: 3, base: life.base}, err: throttled(life.hint),
				deadline: life.deadline,
			})
			assert.Equal(t, 1, c.calls, l.name)
			if known[l.name].returns == "at once" {
				assert.Zero(t, c.took, l.name)
			} else {
				assert.Equal(t, life.deadline, c.took, l.name)
			}
		}
	})
}

// The default bounds on the sum of all waits.
func TestDefaultBound(t *testing.T) {
	bounds := map[string]time.Duration{"toolerr-go": time.Minute, "cenkalti/backoff": 15 * time.Minute}
	synctest.Test(t, func(t *testing.T) {
		for _, l := range libraries {
			c := l.try(trial{settings: settings{attempts: 1000, base: life.base}, err: throttled(0), patience: life.patience})
			bound, bounded := bounds[l.name]
			assert.Equal(t, bounded, !c.stopped, l.name)
			if bounded {
				assert.LessOrEqual(t, c.took, bound, l.name)
				assert.Greater(t, c.took, bound/2, l.name)
			}
		}
	})
}

// A hint beyond the bound ends the retries, or is shortened, which calls the server too
// early. Without a bound, the library waits for it or ignores it.
func TestHint_BeyondBound(t *testing.T) {
	gaps := map[string]time.Duration{
		"failsafe-go": life.bound, "avast/retry-go": longHint,
		"sethvargo/go-retry": life.base, "bare loop": life.base,
	}
	synctest.Test(t, func(t *testing.T) {
		for _, l := range libraries {
			c := l.try(trial{settings: settings{attempts: 2, base: life.base, bound: life.bound}, err: throttled(longHint)})
			gap, called := gaps[l.name]
			assert.Equal(t, called, c.calls == 2, l.name)
			assert.Equal(t, gap, c.gap, l.name)
		}
	})
}

// Whatever ends retry.Do, it returns immediately with the last error and the reason.
func TestDo_LastError(t *testing.T) {
	three := settings{attempts: 3, base: life.base}
	for name, test := range map[string]struct {
		trial
		reason retry.Reason
	}{
		"deadline":  {trial{settings: three, err: throttled(life.hint), deadline: life.deadline}, retry.ReasonPastDeadline},
		"long hint": {trial{settings: three, err: throttled(longHint)}, retry.ReasonRetryAfterTooLong},
		"bound": {trial{
			settings: settings{attempts: 3, base: life.base, bound: time.Second},
			err:      throttled(life.hint),
		}, retry.ReasonWaitTooLong},
		"unanswered": {trial{settings: three, err: errUnanswered}, retry.ReasonMayHaveTakenEffect},
		"one attempt": {
			trial{settings: settings{attempts: 1, base: life.base}, err: throttled(0)},
			retry.ReasonNoAttemptsLeft,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := library{name: "toolerr-go", prepare: prepareToolerr}.try(test.trial)
				assert.Equal(t, 1, c.calls)
				assert.Zero(t, c.took)
				require.ErrorIs(t, c.err, test.err)
				var gaveUp *retry.Error
				require.ErrorAs(t, c.err, &gaveUp)
				assert.Equal(t, test.reason, gaveUp.Decision.Reason)
			})
		})
	}
}
