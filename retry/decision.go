package retry

import "time"

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

// String returns propagate, accept, retry, fix_input, escalate, reauthorize,
// verify or provide_input.
func (a Action) String() string {
	switch a {
	case ActionPropagate:
		return "propagate"
	case ActionAccept:
		return "accept"
	case ActionRetry:
		return "retry"
	case ActionFixInput:
		return "fix_input"
	case ActionEscalate:
		return "escalate"
	case ActionReauthorize:
		return "reauthorize"
	case ActionVerify:
		return "verify"
	case ActionProvideInput:
		return "provide_input"
	}
	return "propagate"
}

// A Reason says why a [Decision] is as it is, in a few words that a log or a person
// can read. New ones may be added.
type Reason string

const (
	// ReasonSuccess says that the call succeeded.
	ReasonSuccess Reason = "the call succeeded"
	// ReasonRetryable says that the failure is retryable and a repeat is safe.
	ReasonRetryable Reason = "the failure is retryable and a repeat is safe"
	// ReasonNotRetryable says that the failure is not retryable.
	ReasonNotRetryable Reason = "the failure is not retryable"
	// ReasonUnsafe says that the call may have taken effect and a repeat is not safe.
	ReasonUnsafe Reason = "the call may have taken effect and a repeat is not safe"
	// ReasonAttempted says that an inner layer has retried already.
	ReasonAttempted Reason = "an inner layer has retried already"
	// ReasonAttempts says that no attempts are left.
	ReasonAttempts Reason = "no attempts are left"
	// ReasonSessionLost says that the session is lost.
	ReasonSessionLost Reason = "the session is lost"
	// ReasonHint says that the server asks for a longer wait than allowed.
	ReasonHint Reason = "the server asks for a longer wait than allowed"
	// ReasonWait says that the total wait would exceed its limit.
	ReasonWait Reason = "the total wait would exceed its limit"
	// ReasonDeadline says that the next attempt would start after the deadline.
	ReasonDeadline Reason = "the next attempt would start after the deadline"
	// ReasonCanceled says that the caller cancelled.
	ReasonCanceled Reason = "the caller cancelled"
	// ReasonBudget says that the retry budget is spent.
	ReasonBudget Reason = "the retry budget is spent"
	// ReasonPartial says that part of the work is done.
	ReasonPartial Reason = "part of the work is done"
	// ReasonInput says that the tool asks for input.
	ReasonInput Reason = "the tool asks for input"
	// ReasonAsked says that a person was asked during the call, and is not asked twice.
	ReasonAsked Reason = "a person was asked during the call, and is not asked twice"
	// ReasonNoProgress says that the tool does not get on with a partial result.
	ReasonNoProgress Reason = "the tool does not get on with a partial result"
	// ReasonRepeated says that the same call has failed before and was not sent.
	ReasonRepeated Reason = "the same call has failed before and was not sent"
	// ReasonUnread says that the outcome cannot be read.
	ReasonUnread Reason = "the outcome cannot be read"
)

// A Decision is what to do about an outcome. [CallTool], [Do] and their like carry
// a retry out themselves, so that they return no [ActionRetry];
// [Policy.OnDecision] is told it.
type Decision struct {
	// Action is what to do.
	Action Action
	// Delay is how long to wait before a retry, or before the call that continues
	// a partial result. It is 0 with any other action.
	Delay time.Duration
	// Reason is why, in words; a program compares it with the constants.
	Reason Reason
	// Attempt is how many attempts have been made, from 1. It is 0 where the [Guard]
	// stopped the call, or the [Client] was closed before.
	Attempt int
	// Waited is how long was slept between them.
	Waited time.Duration
}
