package retry

import (
	"encoding/json"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Action is what the agent should do next. The zero value is ActionPropagate.
type Action int

const (
	// ActionPropagate hands the failure and the attempts made up to the coordinator or
	// the user.
	ActionPropagate Action = iota
	// ActionAccept uses the answer, which may be empty.
	ActionAccept
	// ActionRetry repeats the identical call after [Decision.Delay].
	ActionRetry
	// ActionFixInput calls again with other arguments.
	ActionFixInput
	// ActionEscalate relays the customer message and hands over to a person.
	ActionEscalate
	// ActionReauthorize gets other credentials, or alerts the operators.
	ActionReauthorize
	// ActionVerify looks up whether the call took effect before anything else.
	ActionVerify
	// ActionProvideInput answers the tool's question.
	ActionProvideInput
)

var actionNames = []string{"propagate", "accept", "retry", "fix_input", "escalate", "reauthorize", "verify", "provide_input"}

// String returns propagate, accept, retry, fix_input, escalate, reauthorize,
// verify or provide_input.
func (a Action) String() string { return nameOf(a, actionNames) }

// MarshalText implements [encoding.TextMarshaler] with the result of String.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// nameOf returns the name of v, or the zero value's name if v has none.
func nameOf[T ~int](v T, names []string) string {
	if v < 0 || int(v) >= len(names) {
		v = 0
	}
	return names[v]
}

// A Decision says what to do about an outcome. [CallTool], [Do] and the other functions of
// this package carry out retries themselves and never return [ActionRetry];
// [Policy.OnDecision] is called with it.
type Decision struct {
	// Action is what to do.
	Action Action
	// Delay is the wait before a retry, or before the call that continues a partial
	// result. With ReasonRetryAfterTooLong it is the wait that the server asks for, for
	// callers that can wait that long. Otherwise it is 0.
	Delay time.Duration
	// Reason is the reason for the action.
	Reason Reason
	// Attempt is the number of attempts made, from 1. It is 0 if the [Guard] stopped the
	// call, or if the [Client] was closed before it.
	Attempt int
	// Waited is the total time slept between attempts.
	Waited time.Duration
}

// MarshalJSON implements [json.Marshaler], for logs and transcripts:
//
//	{"action":"retry","reason":"retryable","attempt":2,"delayMs":2500,"waitedMs":310}
//
// Durations are in whole milliseconds, rounded up, and left out if they are 0.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Action   Action `json:"action"`
		Reason   Reason `json:"reason"`
		Attempt  int    `json:"attempt"`
		DelayMs  int64  `json:"delayMs,omitempty"`
		WaitedMs int64  `json:"waitedMs,omitempty"`
	}{d.Action, d.Reason, d.Attempt, millis(d.Delay), millis(d.Waited)})
}

// millis returns d in milliseconds, rounded up.
func millis(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }

// actionFor returns the action for a call that is not repeated.
func actionFor(e *toolerr.Error, s *State) Action {
	switch {
	case mayHaveTakenEffect(e, s):
		return ActionVerify
	case e.Code == toolerr.CodeFailedPrecondition:
		return ActionFixInput // call another tool first
	}
	return categoryActions[e.Category]
}

// categoryActions are the actions by category; the default is to propagate.
var categoryActions = map[toolerr.Category]Action{
	toolerr.CategoryValidation: ActionFixInput,
	toolerr.CategoryBusiness:   ActionEscalate,
	toolerr.CategoryPermission: ActionReauthorize,
}
