package retry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A question holds everything that a decision depends on.
type question struct {
	o result.Outcome
	s retry.State
}

func (q question) String() string {
	if q.o.Err == nil {
		return fmt.Sprintf("%v, %+v", q.o.Kind, q.s)
	}
	return fmt.Sprintf("%v lost=%v, %+v, %+v", q.o.Kind, q.o.SessionLost, *q.o.Err, q.s)
}

// questions calls f with every question: all words and flags, and random numbers.
func questions(r *rand.Rand, f func(question)) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n := 0; ; n++ {
		left := n
		e := &toolerr.Error{
			Retryable: digit(&left, false, true),
			Category:  digit[toolerr.Category](&left, "", "transient", "validation", "business", "permission", "quantum"),
			Code: digit[toolerr.Code](&left, "", "timeout", "unavailable", "rate_limited", "canceled", "internal", "not_found", "conflict",
				"failed_precondition", "flux_inverted"),
			Effect:     digit[toolerr.Effect](&left, "", "none", "applied", "unknown", "undone"),
			Partial:    digit(&left, nil, &toolerr.Partial{Processed: 1}, &toolerr.Partial{ContinueFrom: "16"}),
			Attempted:  digit(&left, nil, []toolerr.Attempt{{Attempts: 3}}),
			RetryAfter: pick(r, 0, 0, 0, -1, time.Second, 30*time.Second, 31*time.Second),
		}
		q := question{
			o: result.Outcome{Kind: digit(&left, result.KindFailure, result.KindPartial, 0, result.KindData, result.KindEmpty, result.KindInputRequired), Err: e},
			s: retry.State{
				Safety:    digit(&left, retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed),
				Unsettled: digit(&left, false, true),
				Asked:     digit(&left, false, true),
				Attempt:   pick(r, 0, 1, 1, 2, 3, 4), Waited: pick(r, 0, 0, time.Second, time.Minute), Now: now, Jitter: pick(r, 0, 0.3, 0.9),
				OverBudget: r.IntN(8) == 0,
			},
		}
		if left > 0 {
			return
		}
		if r.IntN(4) == 0 {
			q.s.Deadline = now.Add(pick(r, 0, time.Millisecond, time.Second, time.Hour))
		}
		q.o.SessionLost = r.IntN(8) == 0
		if q.o.Kind != result.KindFailure && q.o.Kind != result.KindPartial {
			q.o.Err = nil
		}
		f(q)
	}
}

// isSafe reports whether a repeat does nothing twice and is wanted. It is written from the
// contract, not from the code.
func isSafe(q question) bool {
	e := q.o.Err
	if e == nil || q.o.Kind != result.KindFailure || e.Partial != nil || e.Attempted != nil || q.s.Asked {
		return false
	}
	unknown := e.Effect == "unknown" || e.Effect == "undone"
	switch q.s.Safety {
	case retry.SafetyKeyed:
		return e.Retryable
	case retry.SafetyReadOnly, retry.SafetyIdempotent:
		knowsMore := unknown && e.Category == "transient" && (e.Code == "timeout" || e.Code == "unavailable")
		return e.Retryable || knowsMore
	case retry.SafetyUnknown:
	}
	return e.Retryable && !q.s.Unsettled && (e.Effect == "none" || e.Effect == "")
}

// isOpen reports whether the agent must first look up whether the call took effect.
func isOpen(q question) bool {
	e := q.o.Err
	if e == nil || q.s.Safety == retry.SafetyReadOnly {
		return false
	}
	if e.Effect == "none" || e.Effect == "applied" {
		return q.s.Unsettled && e.Effect == "none"
	}
	refused := e.Category == "validation" || e.Category == "business" || e.Category == "permission"
	return e.Effect != "" || q.s.Unsettled || !e.Retryable && !refused && e.Partial == nil
}

// isFree reports whether nothing except the failure is a reason against a repeat.
func isFree(q question) bool {
	hint := max(q.o.Err.RetryAfter, 0)
	soon := q.s.Deadline.IsZero() || q.s.Deadline.Equal(q.s.Now.Add(time.Hour))
	return q.s.Attempt < 3 && q.s.Waited <= time.Second && hint <= time.Second && soon && !q.s.OverBudget && !q.o.SessionLost
}

// violation describes what is wrong with a decision, or returns "".
func violation(q question, d retry.Decision) string {
	failed := q.o.Err != nil
	switch {
	case d.Action == retry.ActionRetry && !isSafe(q):
		return "an unsafe repeat"
	case d.Action != retry.ActionRetry && failed && isSafe(q) && isFree(q):
		return "no repeat"
	case d.Action == retry.ActionRetry:
		return ""
	case isOpen(q) != (d.Action == retry.ActionVerify):
		return "wrong verify"
	case failed && q.o.Err.Code == "failed_precondition" && !isOpen(q) && d.Action != retry.ActionFixInput:
		return "wrong action for a precondition"
	}
	for _, more := range []func(*retry.State){
		func(s *retry.State) { s.Attempt++ },
		func(s *retry.State) { s.Waited += time.Second },
		func(s *retry.State) { s.Attempt, s.Waited = s.Attempt+5, s.Waited+time.Hour },
	} {
		later := q.s
		more(&later)
		if again := (retry.Policy{}).Decide(q.o, later); again.Action != d.Action {
			return fmt.Sprintf("changes to %+v with %+v", again, later)
		}
	}
	return ""
}

// TestPolicy_DecideEverything checks that every decision is safe, that it is verify if and
// only if the effect is unknown, and that more attempts and waiting never turn a stop into
// a retry.
func TestPolicy_DecideEverything(t *testing.T) {
	t.Parallel()
	actions, n := map[retry.Action]int{}, 0
	const seeds = 3
	for seed := range uint64(seeds) {
		questions(rand.New(rand.NewPCG(14, seed)), func(q question) {
			n++
			d := retry.Policy{}.Decide(q.o, q.s)
			actions[d.Action]++
			if w := violation(q, d); w != "" {
				t.Fatalf("%s: %+v of %v", w, d, q)
			}
		})
	}
	assert.Equal(t, 2*6*10*5*3*2*6*4*2*2*seeds, n)
	assert.Greater(t, actions[retry.ActionRetry], 1000)
	assert.Greater(t, actions[retry.ActionVerify], 1000)
}

// TestPolicy_DecideKnowsMore checks the policy's safety and the state's.
func TestPolicy_DecideKnowsMore(t *testing.T) {
	t.Parallel()
	lost := failure(errLost.WithRetryable(false))
	for safety, want := range map[retry.Safety]retry.Action{
		retry.SafetyUnknown: retry.ActionVerify, retry.SafetyReadOnly: retry.ActionRetry, retry.SafetyIdempotent: retry.ActionRetry, retry.SafetyKeyed: retry.ActionVerify,
	} {
		assert.Equal(t, want, retry.Policy{Safety: safety}.Decide(lost, retry.State{}).Action, safety)
		s := &script{answers: []any{errLost.WithRetryable(false), "done"}}
		_, d := retry.CallTool(t.Context(), retry.Policy{Safety: safety, BaseDelay: -1}, s, tool("t"))
		assert.Equal(t, map[bool]retry.Action{true: retry.ActionAccept, false: want}[want == retry.ActionRetry], d.Action, safety)
	}
}

// A permanentError declares itself permanent.
type permanentError struct{ error }

func (permanentError) Permanent() bool { return true }
func (e permanentError) Unwrap() error { return e.error }

// TestDo_Permanent checks that a declared permanent error is not repeated, even if a repeat
// is safe.
func TestDo_Permanent(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"authored":      errLost.WithRetryable(false),
		"a wrapper":     permanentError{context.DeadlineExceeded},
		"a wrapped one": fmt.Errorf("get: %w", permanentError{os.ErrDeadlineExceeded}),
		"unclassified":  errors.New("ledger 7"),
	} {
		for _, safety := range []retry.Safety{retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed} {
			calls := 0
			_, got := retry.Do(t.Context(), retry.Policy{Safety: safety, BaseDelay: -1}, func(context.Context) (int, error) {
				calls++
				return 0, err
			})
			require.Error(t, got)
			assert.Equal(t, 1, calls, "%s: %v", name, safety)
		}
	}
	// The same applies to an error of a session.
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		return nil, permanentError{errLost.WithRetryable(false)}
	})
	_, d := retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, s, tool("t"))
	assert.Equal(t, 1, d.Attempt)
}
