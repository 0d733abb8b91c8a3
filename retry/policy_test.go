package retry_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A situation is one combination of all facts that a decision depends on.
type situation struct {
	kind      result.Kind
	category  toolerr.Category
	retryable bool
	effect    toolerr.Effect
	safety    retry.Safety
	unsettled bool
	left      bool   // attempts are left
	deadline  string // none, far, near
	hint      string // none, within, over
}

// rows is the decision table. The first matching row applies. A nil condition always
// matches.
var rows = []struct {
	name   string
	fits   func(situation) bool
	action retry.Action
	reason retry.Reason
}{
	{"an unreadable outcome", func(s situation) bool { return s.kind == 0 }, retry.ActionPropagate, retry.ReasonUnreadable},
	{"data", func(s situation) bool { return s.kind == result.KindData }, retry.ActionAccept, retry.ReasonSucceeded},
	{"empty", func(s situation) bool { return s.kind == result.KindEmpty }, retry.ActionAccept, retry.ReasonSucceeded},
	{"input required", func(s situation) bool { return s.kind == result.KindInputRequired }, retry.ActionProvideInput, retry.ReasonInputRequired},

	{"part, may be done", func(s situation) bool { return s.kind == result.KindPartial && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"part, too long a hint, input", func(s situation) bool { return longPart(s) && s.category == "validation" }, retry.ActionFixInput, retry.ReasonRetryAfterTooLong},
	{"part, too long a hint, policy", func(s situation) bool { return longPart(s) && s.category == "business" }, retry.ActionEscalate, retry.ReasonRetryAfterTooLong},
	{"part, too long a hint, access", func(s situation) bool { return longPart(s) && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonRetryAfterTooLong},
	{"part, too long a hint, other", longPart, retry.ActionPropagate, retry.ReasonRetryAfterTooLong},
	{"part, to be continued", func(s situation) bool { return s.kind == result.KindPartial }, retry.ActionFixInput, retry.ReasonPartialResult},

	{"final, may be done", func(s situation) bool { return !s.retryable && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"final, input", func(s situation) bool { return !s.retryable && s.category == "validation" }, retry.ActionFixInput, retry.ReasonNotRetryable},
	{"final, policy", func(s situation) bool { return !s.retryable && s.category == "business" }, retry.ActionEscalate, retry.ReasonNotRetryable},
	{"final, access", func(s situation) bool { return !s.retryable && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonNotRetryable},
	{"final, other", func(s situation) bool { return !s.retryable }, retry.ActionPropagate, retry.ReasonNotRetryable},

	{"unsafe, may be done", func(s situation) bool { return unsafe(s) && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"unsafe, done, input", func(s situation) bool { return unsafe(s) && s.category == "validation" }, retry.ActionFixInput, retry.ReasonNotRetryable},
	{"unsafe, done, policy", func(s situation) bool { return unsafe(s) && s.category == "business" }, retry.ActionEscalate, retry.ReasonNotRetryable},
	{"unsafe, done, access", func(s situation) bool { return unsafe(s) && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonNotRetryable},
	{"unsafe, done, other", unsafe, retry.ActionPropagate, retry.ReasonNotRetryable},

	{"no attempts left, may be done", func(s situation) bool { return !s.left && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"no attempts left, input", func(s situation) bool { return !s.left && s.category == "validation" }, retry.ActionFixInput, retry.ReasonNoAttemptsLeft},
	{"no attempts left, policy", func(s situation) bool { return !s.left && s.category == "business" }, retry.ActionEscalate, retry.ReasonNoAttemptsLeft},
	{"no attempts left, access", func(s situation) bool { return !s.left && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonNoAttemptsLeft},
	{"no attempts left, other", func(s situation) bool { return !s.left }, retry.ActionPropagate, retry.ReasonNoAttemptsLeft},

	{"too long a hint, may be done", func(s situation) bool { return s.hint == "over" && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"too long a hint, input", func(s situation) bool { return s.hint == "over" && s.category == "validation" }, retry.ActionFixInput, retry.ReasonRetryAfterTooLong},
	{"too long a hint, policy", func(s situation) bool { return s.hint == "over" && s.category == "business" }, retry.ActionEscalate, retry.ReasonRetryAfterTooLong},
	{"too long a hint, access", func(s situation) bool { return s.hint == "over" && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonRetryAfterTooLong},
	{"too long a hint, other", func(s situation) bool { return s.hint == "over" }, retry.ActionPropagate, retry.ReasonRetryAfterTooLong},

	{"too late, may be done", func(s situation) bool { return s.deadline == "near" && lost(s) }, retry.ActionVerify, retry.ReasonMayHaveTakenEffect},
	{"too late, input", func(s situation) bool { return s.deadline == "near" && s.category == "validation" }, retry.ActionFixInput, retry.ReasonPastDeadline},
	{"too late, policy", func(s situation) bool { return s.deadline == "near" && s.category == "business" }, retry.ActionEscalate, retry.ReasonPastDeadline},
	{"too late, access", func(s situation) bool { return s.deadline == "near" && s.category == "permission" }, retry.ActionReauthorize, retry.ReasonPastDeadline},
	{"too late, other", func(s situation) bool { return s.deadline == "near" }, retry.ActionPropagate, retry.ReasonPastDeadline},

	{"retry", func(situation) bool { return true }, retry.ActionRetry, retry.ReasonRetryable},
}

func longPart(s situation) bool { return s.kind == result.KindPartial && s.hint == "over" }

// lost reports whether the call may have taken effect.
func lost(s situation) bool {
	refused := s.category == "validation" || s.category == "business" || s.category == "permission"
	unstated := s.effect == "" && !s.retryable && s.kind != result.KindPartial && !refused
	unknown := s.effect == toolerr.EffectUnknown || s.effect == "undone" || s.unsettled && s.effect != toolerr.EffectApplied || unstated
	return unknown && s.safety != retry.SafetyReadOnly
}

// unsafe reports whether a retryable call must not be repeated.
func unsafe(s situation) bool {
	if s.safety != retry.SafetyUnknown {
		return false
	}
	return s.unsettled || s.effect != "" && s.effect != toolerr.EffectNone
}

func TestPolicy_Decide(t *testing.T) {
	t.Parallel()
	hit := make([]int, len(rows))
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	each(func(s situation) {
		e := &toolerr.Error{Category: s.category, Retryable: s.retryable, Effect: s.effect}
		o := result.Outcome{Kind: s.kind, Err: e}
		switch s.kind {
		case result.KindData, result.KindEmpty, result.KindInputRequired:
			o.Err = nil
		case result.KindPartial:
			e.Partial = &toolerr.Partial{ContinueFrom: "16"}
		case result.KindFailure:
		}
		state := retry.State{Attempt: 2, Safety: s.safety, Unsettled: s.unsettled, Now: now, Jitter: 0.5}
		if !s.left {
			state.Attempt = 3
		}
		e.RetryAfter = map[string]time.Duration{"none": 0, "within": 30 * time.Second, "over": 30*time.Second + 1}[s.hint]
		delay := e.RetryAfter + 500*time.Millisecond // half of the second window
		switch s.deadline {
		case "far":
			state.Deadline = now.Add(delay + 1)
		case "near":
			state.Deadline = now.Add(delay)
		}
		d := retry.Policy{}.Decide(o, state)
		for i, row := range rows {
			if row.fits(s) {
				hit[i]++
				assert.Equal(t, row.action, d.Action, "%s: %+v", row.name, s)
				assert.Equal(t, row.reason, d.Reason, "%s: %+v", row.name, s)
				if row.action == retry.ActionRetry {
					assert.Equal(t, delay, d.Delay, "%+v", s)
				}
				break
			}
		}
		assert.Equal(t, state.Attempt, d.Attempt)
	})
	for i, row := range rows {
		assert.Positive(t, hit[i], "combinations for row %q", row.name)
	}
}

// each calls f with every situation. The digits of a counter select the values.
func each(f func(situation)) {
	for n := 0; ; n++ {
		left := n
		s := situation{
			kind:      digit(&left, 0, result.KindData, result.KindEmpty, result.KindPartial, result.KindFailure, result.KindInputRequired),
			category:  digit[toolerr.Category](&left, "", "transient", "validation", "business", "permission", "quantum"),
			retryable: digit(&left, false, true),
			effect:    digit(&left, "", toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown, "undone"),
			safety:    digit(&left, retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed),
			unsettled: digit(&left, false, true),
			left:      digit(&left, false, true),
			deadline:  digit(&left, "none", "far", "near"),
			hint:      digit(&left, "none", "within", "over"),
		}
		if left > 0 {
			return
		}
		f(s)
	}
}

// digit removes the last digit of a number in the given base, and returns its value.
func digit[T any](left *int, values ...T) T {
	v := values[*left%len(values)]
	*left /= len(values)
	return v
}

func failure(e *toolerr.Error) result.Outcome {
	return result.Outcome{Kind: result.KindFailure, Err: e}
}

func TestPolicy_DecideStops(t *testing.T) {
	t.Parallel()
	retryable := toolerr.Transient("m").WithEffect(toolerr.EffectNone)
	lost := failure(retryable)
	lost.SessionLost = true
	for name, test := range map[string]struct {
		o      result.Outcome
		s      retry.State
		p      retry.Policy
		action retry.Action
		reason retry.Reason
	}{
		"session lost":            {lost, retry.State{}, retry.Policy{}, retry.ActionPropagate, retry.ReasonSessionLost},
		"attempted inside":        {failure(retryable.WithAttempted(toolerr.Attempt{})), retry.State{}, retry.Policy{}, retry.ActionPropagate, retry.ReasonAlreadyRetried},
		"budget":                  {failure(retryable), retry.State{OverBudget: true}, retry.Policy{}, retry.ActionPropagate, retry.ReasonBudgetExhausted},
		"total wait":              {failure(retryable), retry.State{Waited: time.Minute, Jitter: 0.5}, retry.Policy{}, retry.ActionPropagate, retry.ReasonWaitTooLong},
		"exactly the total wait":  {failure(retryable), retry.State{Waited: time.Minute - 250*time.Millisecond, Jitter: 0.5}, retry.Policy{}, retry.ActionRetry, retry.ReasonRetryable},
		"no retries":              {failure(retryable), retry.State{}, retry.Policy{MaxAttempts: -1}, retry.ActionPropagate, retry.ReasonNoAttemptsLeft},
		"no hints":                {failure(retryable.WithRetryAfter(1)), retry.State{}, retry.Policy{MaxRetryAfter: -1}, retry.ActionPropagate, retry.ReasonRetryAfterTooLong},
		"no waiting":              {failure(retryable), retry.State{}, retry.Policy{MaxWait: -1, BaseDelay: -1}, retry.ActionRetry, retry.ReasonRetryable},
		"failure without error":   {failure(nil), retry.State{}, retry.Policy{}, retry.ActionPropagate, retry.ReasonUnreadable},
		"part without a cursor":   {result.Outcome{Kind: result.KindPartial, Err: toolerr.Business("m").WithPartial(&toolerr.Partial{})}, retry.State{}, retry.Policy{}, retry.ActionEscalate, retry.ReasonPartialResult},
		"part under another kind": {failure(toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 3})), retry.State{}, retry.Policy{}, retry.ActionFixInput, retry.ReasonPartialResult},
	} {
		d := test.p.Decide(test.o, test.s)
		assert.Equal(t, test.action, d.Action, name)
		assert.Equal(t, test.reason, d.Reason, name)
	}
	part := toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 3}).WithRetryAfter(time.Second)
	assert.Equal(t, time.Second, retry.Policy{}.Decide(failure(part), retry.State{}).Delay, "delay of the next call")
}

func TestPolicy_Delay(t *testing.T) {
	t.Parallel()
	unavailable, throttled := toolerr.Transient("m"), toolerr.Transient("m").WithCode(toolerr.CodeRateLimited)
	many := retry.Policy{MaxAttempts: math.MaxInt}
	long := retry.Policy{MaxAttempts: math.MaxInt, BaseDelay: math.MaxInt64, MaxDelay: math.MaxInt64, MaxRetryAfter: math.MaxInt64, MaxWait: math.MaxInt64}
	for name, test := range map[string]struct {
		p       retry.Policy
		e       *toolerr.Error
		attempt int
		jitter  float64
		want    time.Duration
	}{
		"first":              {many, unavailable, 1, 0.5, 250 * time.Millisecond},
		"attempt 0 is first": {many, unavailable, 0, 0.5, 250 * time.Millisecond},
		"second":             {many, unavailable, 2, 0.5, 500 * time.Millisecond},
		"throttled":          {many, throttled, 1, 0.5, 500 * time.Millisecond},
		"capped":             {many, unavailable, 50, 0.5, 10 * time.Second},
		"capped far out":     {many, unavailable, math.MaxInt - 1, 0.5, 10 * time.Second},
		"no jitter":          {many, unavailable, 3, 0, 0},
		"odd jitter":         {many, unavailable, 1, math.NaN(), 0},
		"hint":               {many, unavailable.WithRetryAfter(2 * time.Second), 1, 0, 2 * time.Second},
		"hint plus jitter":   {many, unavailable.WithRetryAfter(2 * time.Second), 1, 0.5, 2250 * time.Millisecond},
		"negative hint":      {many, unavailable.WithRetryAfter(math.MinInt64), 1, 0, 0},
		"overflow":           {long, unavailable.WithRetryAfter(math.MaxInt64), 9, 1, math.MaxInt64 / 4 * 2},
		"no backoff":         {retry.Policy{BaseDelay: -1}, unavailable, 2, 0.9, 0},
		"no window":          {retry.Policy{MaxDelay: -1}, unavailable, 2, 0.9, 0},
		"custom window":      {retry.Policy{BaseDelay: time.Second, MaxDelay: 3 * time.Second, MaxAttempts: 9}, unavailable, 3, 0.5, 1500 * time.Millisecond},
	} {
		d := test.p.Decide(failure(test.e), retry.State{Attempt: test.attempt, Jitter: test.jitter})
		assert.Equal(t, retry.ActionRetry, d.Action, name)
		assert.InDelta(t, float64(test.want), float64(d.Delay), 1, name)
	}
}

func TestAction_String(t *testing.T) {
	t.Parallel()
	var actions []retry.Action
	for a := retry.ActionPropagate; a <= retry.ActionProvideInput; a++ {
		actions = append(actions, a)
	}
	assert.Equal(t, "[propagate accept retry fix_input escalate reauthorize verify provide_input]", fmt.Sprint(actions))
	encoded, err := json.Marshal(actions)
	require.NoError(t, err)
	assert.JSONEq(t, `["propagate","accept","retry","fix_input","escalate","reauthorize","verify","provide_input"]`, string(encoded))
	assert.Equal(t, retry.ActionPropagate, retry.Decision{}.Action)
	assert.Equal(t, "propagate propagate", retry.Action(99).String()+" "+retry.Action(-1).String())
}

func TestSafety_String(t *testing.T) {
	t.Parallel()
	safeties := []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed, 99}
	assert.Equal(t, "[unknown read_only idempotent keyed unknown]", fmt.Sprint(safeties))
	encoded, err := json.Marshal(safeties)
	require.NoError(t, err)
	assert.JSONEq(t, `["unknown","read_only","idempotent","keyed","unknown"]`, string(encoded))
}

// TestReason_Sentence checks that each constant is a word in snake_case with a sentence.
func TestReason_Sentence(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("decision.go")
	require.NoError(t, err)
	words := regexp.MustCompile(`Reason = "(.*)"`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, words, 18)
	sentences := map[string]bool{}
	for _, word := range words {
		assert.Regexp(t, `^[a-z]+(_[a-z]+)*$`, word[1])
		sentence := retry.Reason(word[1]).Sentence()
		assert.Regexp(t, `^(the|a|an|no|part) [a-z ,]+$`, sentence)
		sentences[sentence] = true
	}
	assert.Len(t, sentences, len(words))
	assert.Equal(t, "brand_new", retry.Reason("brand_new").Sentence())
}

func TestDecision_JSON(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]retry.Decision{
		`{"action":"verify","reason":"may_have_taken_effect","attempt":1}`: {Action: retry.ActionVerify, Reason: retry.ReasonMayHaveTakenEffect, Attempt: 1},
		`{"action":"retry","reason":"retryable","attempt":2,"delayMs":1500,"waitedMs":1}`: {
			Action: retry.ActionRetry, Reason: retry.ReasonRetryable, Attempt: 2, Delay: 1500 * time.Millisecond, Waited: time.Nanosecond,
		},
		`{"action":"fix_input","reason":"repeated_call","attempt":0}`: {Action: retry.ActionFixInput, Reason: retry.ReasonRepeatedCall},
	} {
		got, err := json.Marshal(d)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
}
