package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
)

func TestTemporal(t *testing.T) {
	t.Parallel()
	d := openDesk(plan())
	defer d.stop()
	for _, s := range scenarios {
		t.Run(s.title, func(t *testing.T) {
			text, err := runTemporal(d, s)
			require.NoError(t, err)
			check(t, d, s, text)
		})
	}
}

// check compares what became of a scenario with what should.
func check(t *testing.T, d *desk, s scenario, text string) {
	t.Helper()
	booked, called := d.counts(s.call.Order)
	assert.Equal(t, s.booked, booked, "how often it was done")
	assert.Equal(t, s.called, called, "how often it was called")
	if s.ends == "" {
		assert.Contains(t, text, `{"done":["`+s.call.Order+`"]}`)
	} else {
		assert.Contains(t, text, s.ends)
	}
}

// loseFirst loses the first worker in the middle of the call, which goes on without it.
// Temporal's test environment reports that as the timeout that it is to the engine.
func loseFirst(env *testsuite.TestWorkflowEnvironment, a *activities) {
	first := true
	env.OnActivity(a.Attempt, mock.Anything, mock.Anything).Return(func(ctx context.Context, c call) (string, error) {
		if !first {
			return a.Attempt(ctx, c)
		}
		first = false
		_ = attempt(context.WithoutCancel(ctx), a.desk, c, 1, time.Now()) // and nobody learns of it
		return "", temporal.NewTimeoutError(enums.TIMEOUT_TYPE_START_TO_CLOSE, nil)
	})
}

// A worker that is lost in the middle of a call is a timeout to the engine.
func TestTemporal_LostWorker(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{})
	defer d.stop()
	for _, s := range []scenario{
		{"with a key", call{Tool: "process_refund", Order: "ORD-7"}, nil, 1, 1, ""}, // the repeat gets the first answer
		{"without", call{Tool: "post_letter", Order: "ORD-8"}, nil, 1, 1, ""},
	} {
		t.Run(s.title, func(t *testing.T) {
			text, err := runTemporal(d, s, loseFirst)
			require.NoError(t, err)
			check(t, d, s, text)
		})
	}
}
