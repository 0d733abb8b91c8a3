package retry

import "cmp"

// A Reason is the reason for a [Decision]: a word to branch on and to log.
// [Reason.Sentence] explains it to people. New reasons may be added.
type Reason string

const (
	// ReasonSucceeded means that the call succeeded.
	ReasonSucceeded Reason = "succeeded"
	// ReasonRetryable means that the failure is retryable and a repeat is safe.
	ReasonRetryable Reason = "retryable"
	// ReasonNotRetryable means that the failure is not retryable.
	ReasonNotRetryable Reason = "not_retryable"
	// ReasonMayHaveTakenEffect means that the call may have taken effect, and is not repeated,
	// for whatever reason. It is the reason of every ActionVerify.
	ReasonMayHaveTakenEffect Reason = "may_have_taken_effect"
	// ReasonAlreadyRetried means that an inner layer has retried already.
	ReasonAlreadyRetried Reason = "already_retried"
	// ReasonNoAttemptsLeft means that no attempts are left.
	ReasonNoAttemptsLeft Reason = "no_attempts_left"
	// ReasonSessionLost means that the session is lost.
	ReasonSessionLost Reason = "session_lost"
	// ReasonRetryAfterTooLong means that the server asks for a longer wait than
	// [Policy.MaxRetryAfter]. The wait is [Decision.Delay].
	ReasonRetryAfterTooLong Reason = "retry_after_too_long"
	// ReasonWaitTooLong means that the total wait would exceed [Policy.MaxWait].
	ReasonWaitTooLong Reason = "wait_too_long"
	// ReasonPastDeadline means that the next attempt would start after the deadline.
	ReasonPastDeadline Reason = "past_deadline"
	// ReasonCanceled means that the caller cancelled.
	ReasonCanceled Reason = "canceled"
	// ReasonBudgetExhausted means that the [Budget] allows no retry.
	ReasonBudgetExhausted Reason = "budget_exhausted"
	// ReasonPartialResult means that part of the work is done.
	ReasonPartialResult Reason = "partial_result"
	// ReasonInputRequired means that the tool asks for input.
	ReasonInputRequired Reason = "input_required"
	// ReasonPersonAsked means that a person was asked during the call, and is not asked twice.
	ReasonPersonAsked Reason = "person_asked"
	// ReasonNoProgress means that the tool makes no progress with a partial result.
	ReasonNoProgress Reason = "no_progress"
	// ReasonRepeatedCall means that the same call has failed or found nothing before, and was
	// not sent again.
	ReasonRepeatedCall Reason = "repeated_call"
	// ReasonUnreadable means that the outcome cannot be read.
	ReasonUnreadable Reason = "unreadable"
)

var sentences = map[Reason]string{
	ReasonSucceeded:          "the call succeeded",
	ReasonRetryable:          "the failure is retryable and a repeat is safe",
	ReasonNotRetryable:       "the failure is not retryable",
	ReasonMayHaveTakenEffect: "the call may have taken effect",
	ReasonAlreadyRetried:     "an inner layer has retried already",
	ReasonNoAttemptsLeft:     "no attempts are left",
	ReasonSessionLost:        "the session is lost",
	ReasonRetryAfterTooLong:  "the server asks for a longer wait than allowed",
	ReasonWaitTooLong:        "the total wait would exceed its limit",
	ReasonPastDeadline:       "the next attempt would start after the deadline",
	ReasonCanceled:           "the caller cancelled",
	ReasonBudgetExhausted:    "the retry budget is spent",
	ReasonPartialResult:      "part of the work is done",
	ReasonInputRequired:      "the tool asks for input",
	ReasonPersonAsked:        "a person was asked during the call, and is not asked twice",
	ReasonNoProgress:         "the tool makes no progress with a partial result",
	ReasonRepeatedCall:       "the same call was made before and was not sent again",
	ReasonUnreadable:         "the outcome cannot be read",
}

// Sentence returns the reason as a clause that can follow "because", without a full stop:
// "no attempts are left". For an unknown reason it returns the reason itself.
func (r Reason) Sentence() string { return cmp.Or(sentences[r], string(r)) }
