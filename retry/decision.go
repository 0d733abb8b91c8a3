package retry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Action is what the agent should do next. Its zero value is propagate.
type Action int

// The actions, by what the agent should do.
const (
	ActionPropagate    Action = iota // report the failure, with its attempts, to the coordinator or the user
	ActionAccept                     // use the result, which may be empty
	ActionRetry                      // repeat the identical call after [Decision.Delay]; CallTool does so itself
	ActionFixInput                   // call again with other arguments, or first the tool that the hint names
	ActionEscalate                   // relay the customer message and hand over to a person
	ActionReauthorize                // get other credentials, or alert the operators
	ActionVerify                     // look up, before anything else, whether the call took effect
	ActionProvideInput               // answer the tool's question
)

var actionNames = []string{
	"propagate", "accept", "retry", "fix_input", "escalate", "reauthorize", "verify", "provide_input",
}

// String returns the action in snake_case, as in fix_input.
func (a Action) String() string { return nameOf(a, actionNames) }

// MarshalText returns the result of String.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText accepts the results of String; other text is an error.
func (a *Action) UnmarshalText(text []byte) error { return setByName(a, text, actionNames) }

func setByName[T ~int](v *T, text []byte, names []string) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("retry: %q is none of %s", text, strings.Join(names, ", "))
	}
	*v = T(i)
	return nil
}

// nameOf returns the name of v, or the zero value's name if v has none.
func nameOf[T ~int](v T, names []string) string {
	if v < 0 || int(v) >= len(names) {
		v = 0
	}
	return names[v]
}

// A Reason says in a word why a [Decision] was made. New ones may be added.
type Reason string

// The reasons, by what they mean.
const (
	ReasonSucceeded          Reason = "succeeded"             // the call succeeded
	ReasonRetryable          Reason = "retryable"             // the failure is retryable and a repeat is safe
	ReasonNotRetryable       Reason = "not_retryable"         // the failure is not retryable, or a repeat is not safe
	ReasonMayHaveTakenEffect Reason = "may_have_taken_effect" // of every ActionVerify, but for a repeated call
	ReasonAlreadyRetried     Reason = "already_retried"       // an inner layer has already retried
	ReasonNoAttemptsLeft     Reason = "no_attempts_left"      // no attempts are left
	ReasonSessionLost        Reason = "session_lost"          // the session is lost and cannot be replaced
	ReasonRetryAfterTooLong  Reason = "retry_after_too_long"  // over [Policy.MaxRetryAfter]; [Decision.Delay] is the wait
	ReasonWaitTooLong        Reason = "wait_too_long"         // over [Policy.MaxWait], or ten minutes in [Resume]
	ReasonPastDeadline       Reason = "past_deadline"         // the next attempt would start after the deadline
	ReasonCanceled           Reason = "canceled"              // the call was canceled
	ReasonBudgetExhausted    Reason = "budget_exhausted"      // the [Budget] allows no retry
	ReasonPartialResult      Reason = "partial_result"        // part of the work is done
	ReasonInputRequired      Reason = "input_required"        // the tool asks for input
	ReasonPersonAsked        Reason = "person_asked"          // a person was asked during the call, and is not asked twice
	ReasonNoProgress         Reason = "no_progress"           // a part brings nothing new, or is beyond [Resume]'s limits
	ReasonRepeatedCall       Reason = "repeated_call"         // stopped by the [Guard]: not sent
	ReasonUnreadable         Reason = "unreadable"            // the Outcome is the zero value, or of an unknown kind
)

// A Decision says what to do about an outcome.
type Decision struct {
	Action Action // what to do
	// Delay is the wait before a retry, before the call that continues a partial result, or, with
	// ReasonRetryAfterTooLong, that the server asks for. Otherwise it is 0.
	Delay   time.Duration
	Reason  Reason        // why
	Attempt int           // the number of attempts made, or 0 if the [Guard] or a closed [Client] made none
	Waited  time.Duration // between attempts or parts, in total
	Tool    string        // as the caller named it; empty for [Do] and [Policy.Decide]
}

// MarshalJSON returns the members tool, action, reason, attempt, delayMs and waitedMs, rounded up,
// without zero durations and an empty name.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Tool     string `json:"tool,omitempty"`
		Action   Action `json:"action"`
		Reason   Reason `json:"reason"`
		Attempt  int    `json:"attempt"`
		DelayMs  int64  `json:"delayMs,omitempty"`
		WaitedMs int64  `json:"waitedMs,omitempty"`
	}{d.Tool, d.Action, d.Reason, d.Attempt, millis(d.Delay), millis(d.Waited)})
}

// millis returns d in milliseconds, rounded up.
func millis(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }
