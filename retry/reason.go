package retry

import "cmp"

// A Reason is the reason for a [Decision]: a word to branch on and to log.
// [Reason.Sentence] explains it to people. New reasons may be added.
type Reason string

const (
	// ReasonSuccess means that the call succeeded.
	ReasonSuccess Reason = "succeeded"
	// ReasonRetryable means that the failure is retryable and a repeat is safe.
	ReasonRetryable Reason = "retryable"
	// ReasonNotRetryable means that the failure is not retryable.
	ReasonNotRetryable Reason = "not_retryable"
	// ReasonUnsafe means that the call may have taken effect and a repeat is not safe.
	ReasonUnsafe Reason = "unsafe_repeat"
	// ReasonAttempted means that an inner layer has retried already.
	ReasonAttempted Reason = "already_retried"
	// ReasonAttempts means that no attempts are left.
	ReasonAttempts Reason = "no_attempts_left"
	// ReasonSessionLost means that the session is lost.
	ReasonSessionLost Reason = "session_lost"
	// ReasonHint means that the server asks for a longer wait than [Policy.MaxHint].
	ReasonHint Reason = "hint_too_long"
	// ReasonWait means that the total wait would exceed [Policy.MaxWait].
	ReasonWait Reason = "wait_too_long"
	// ReasonDeadline means that the next attempt would start after the deadline.
	ReasonDeadline Reason = "past_deadline"
	// ReasonCanceled means that the caller cancelled.
	ReasonCanceled Reason = "canceled"
	// ReasonBudget means that the [Budget] allows no retry.
	ReasonBudget Reason = "budget_exhausted"
	// ReasonPartial means that part of the work is done.
	ReasonPartial Reason = "partial_result"
	// ReasonInput means that the tool asks for input.
	ReasonInput Reason = "input_required"
	// ReasonAsked means that a person was asked during the call, and is not asked twice.
	ReasonAsked Reason = "person_asked"
	// ReasonNoProgress means that the tool makes no progress with a partial result.
	ReasonNoProgress Reason = "no_progress"
	// ReasonRepeated means that the same call has failed or found nothing before, and was
	// not sent again.
	ReasonRepeated Reason = "repeated_call"
	// ReasonUnread means that the outcome cannot be read.
	ReasonUnread Reason = "unreadable"
)

var sentences = map[Reason]string{
	ReasonSuccess:      "the call succeeded",
	ReasonRetryable:    "the failure is retryable and a repeat is safe",
	ReasonNotRetryable: "the failure is not retryable",
	ReasonUnsafe:       "the call may have taken effect and a repeat is not safe",
	ReasonAttempted:    "an inner layer has retried already",
	ReasonAttempts:     "no attempts are left",
	ReasonSessionLost:  "the session is lost",
	ReasonHint:         "the server asks for a longer wait than allowed",
	ReasonWait:         "the total wait would exceed its limit",
	ReasonDeadline:     "the next attempt would start after the deadline",
	ReasonCanceled:     "the caller cancelled",
	ReasonBudget:       "the retry budget is spent",
	ReasonPartial:      "part of the work is done",
	ReasonInput:        "the tool asks for input",
	ReasonAsked:        "a person was asked during the call, and is not asked twice",
	ReasonNoProgress:   "the tool makes no progress with a partial result",
	ReasonRepeated:     "the same call was made before and was not sent again",
	ReasonUnread:       "the outcome cannot be read",
}

// Sentence returns the reason as a clause that can follow "because", without a full stop:
// "no attempts are left". For an unknown reason it returns the reason itself.
func (r Reason) Sentence() string { return cmp.Or(sentences[r], string(r)) }
