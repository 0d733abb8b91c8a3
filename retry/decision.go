package retry

import (
	"encoding/json"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Action is what the agent does next. The zero Action is to propagate.
type Action int

const (
	// ActionPropagate hands the failure up, with what was attempted: to the
	// coordinator, or the user.
	ActionPropagate Action = iota
	// ActionAccept takes the answer, an empty one too.
	ActionAccept
	// ActionRetry repeats the identical call after [Decision.Delay].
	ActionRetry
	// ActionFixInput calls again with other arguments.
	ActionFixInput
	// ActionEscalate relays the customer message and hands over to a person.
	ActionEscalate
	// ActionReauthorize needs other credentials, or the operators.
	ActionReauthorize
	// ActionVerify finds out whether the call took effect, before anything else.
	ActionVerify
	// ActionProvideInput gives the tool the input that it asks for.
	ActionProvideInput
)

var actionNames = []string{"propagate", "accept", "retry", "fix_input", "escalate", "reauthorize", "verify", "provide_input"}

// String returns propagate, accept, retry, fix_input, escalate, reauthorize,
// verify or provide_input.
func (a Action) String() string { return nameOf(a, actionNames) }

// MarshalText implements [encoding.TextMarshaler] with what String returns.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// nameOf returns the name of v, which is that of the zero value if v has none.
func nameOf[T ~int](v T, names []string) string {
	if v < 0 || int(v) >= len(names) {
		v = 0
	}
	return names[v]
}

// A Decision is what to do about an outcome. [CallTool], [Do] and their like carry
// out a retry themselves and never return [ActionRetry]; [Policy.OnDecision] is
// called with that too.
type Decision struct {
	// Action is what to do.
	Action Action
	// Delay is how long to wait before a retry, or before the call that continues
	// a partial result. It is 0 with any other action.
	Delay time.Duration
	// Reason is why.
	Reason Reason
	// Attempt is how many attempts have been made, from 1. It is 0 if the [Guard]
	// stopped the call, or the [Client] was closed before.
	Attempt int
	// Waited is how long was slept between them.
	Waited time.Duration
	// Sessions says to which session of the [Client] each attempt went: the first that it
	// connected is 1, and 0 is an attempt that was not sent. It is nil without a Client.
	Sessions []int
}

// MarshalJSON implements [json.Marshaler], for logs and transcripts:
//
//	{"action":"retry","reason":"retryable","attempt":2,"delayMs":2500,"waitedMs":310,"sessions":[1,2]}
//
// Durations are in whole milliseconds, rounded up, and left out if they are 0.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Action   Action `json:"action"`
		Reason   Reason `json:"reason"`
		Attempt  int    `json:"attempt"`
		DelayMs  int64  `json:"delayMs,omitempty"`
		WaitedMs int64  `json:"waitedMs,omitempty"`
		Sessions []int  `json:"sessions,omitempty"`
	}{d.Action, d.Reason, d.Attempt, millis(d.Delay), millis(d.Waited), d.Sessions})
}

// millis returns d in milliseconds, rounded up.
func millis(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }

// actionFor returns what is left to do if a call is not repeated.
func actionFor(e *toolerr.Error, s *State) Action {
	switch {
	case isUnresolved(e, s.Safety), s.Unsettled && s.Safety != SafetyReadOnly:
		return ActionVerify
	case e.Code == toolerr.CodeFailedPrecondition:
		return ActionFixInput // by a call of another tool first
	}
	return categoryActions[e.Category]
}

// categoryActions are what to do about a failure, if not to propagate it.
var categoryActions = map[toolerr.Category]Action{
	toolerr.CategoryValidation: ActionFixInput,
	toolerr.CategoryBusiness:   ActionEscalate,
	toolerr.CategoryPermission: ActionReauthorize,
}
