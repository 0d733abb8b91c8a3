package retry

import (
	"cmp"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A State holds the facts, other than the outcome, on which a decision depends. The zero State
// describes the first attempt.
type State struct {
	Attempt       int           // the number of attempts made, including this one; values below 1 mean 1
	Waited        time.Duration // between the attempts so far, in total
	Now, Deadline time.Time     // the next attempt must start before Deadline, unless it is zero
	Safety        Safety        // of the tool; if unknown, the policy's applies
	Unsettled     bool          // an earlier attempt may have taken effect
	Reconnects    bool          // the next attempt is made on a new session if this one is lost
	Asked         bool          // a person was asked during this call, which is then not repeated
	OverBudget    bool          // the shared budget currently allows no retry
	Jitter        float64       // the random part of the window, clamped to 0 to 1; at 0, only the server's wait

	past       toolerr.Effect // the worst effect of the earlier attempts; in Decide, unknown if Unsettled
	pause      time.Duration  // the minimum wait, after a failed dial or listing
	noResult   bool           // the failure is an error and not a result, so it was classified here
	unanswered bool           // the server did not answer
}

// Decide returns what to do about an outcome, by the table of the package. It is a pure function.
func (p Policy) Decide(o result.Outcome, s State) Decision {
	s.Safety = cmp.Or(s.Safety, p.Safety)
	s.past = toolerr.EffectNone
	if s.Unsettled {
		s.past = toolerr.EffectUnknown
	}
	s.noResult = o.Result == nil && o.Err != nil && o.Err.Unwrap() != nil
	s.unanswered = s.noResult && !session.IsAnswer(o)
	return decide(&p, &o, &s)
}

// decide is [Policy.Decide] for a State whose safety and unexported fields are set.
func decide(p *Policy, o *result.Outcome, s *State) Decision {
	d := Decision{Attempt: max(s.Attempt, 1), Waited: s.Waited, Reason: ReasonUnreadable}
	switch o.Kind {
	case result.KindData, result.KindEmpty:
		d.Action, d.Reason = ActionAccept, ReasonSucceeded
	case result.KindInputRequired:
		d.Action, d.Reason = ActionProvideInput, ReasonInputRequired
		if isShed(*o) {
			busy := shed(*o)
			decideFailure(p, &busy, s, &d)
		}
	case result.KindPartial, result.KindFailure:
		if o.Err != nil {
			decideFailure(p, o, s, &d)
		}
	}
	return d
}

func decideFailure(p *Policy, o *result.Outcome, s *State, d *Decision) {
	e := o.Err
	delay, asked := delayOf(p, e, d.Attempt, s.Jitter)
	delay = max(delay, s.pause)
	d.Action = actionFor(e, s)
	if isPart(o) {
		d.Reason = ReasonPartialResult
		if e.Partial != nil && e.Partial.ContinueFrom != nil {
			d.Reason = cmp.Or(tooLong(p, asked), ReasonPartialResult)
			if d.Reason == ReasonPartialResult && d.Action != ActionVerify {
				d.Action, d.Delay = ActionFixInput, asked
			}
		}
	} else if d.Reason = reasonAgainst(p, o, s, d.Attempt, delay, asked); d.Reason == ReasonRetryable {
		d.Action, d.Delay = ActionRetry, delay
	}
	switch {
	case d.Action == ActionVerify:
		d.Reason = ReasonMayHaveTakenEffect
	case d.Reason == ReasonRetryAfterTooLong:
		d.Delay = asked
	}
}

// isPart reports whether part of the work was done.
func isPart(o *result.Outcome) bool {
	if o.Err.Partial == nil {
		return o.Kind == result.KindPartial
	}
	return !o.Err.Partial.IsEmpty()
}

// tooLong returns ReasonRetryAfterTooLong if the server asks for too long a wait, else "".
func tooLong(p *Policy, asked time.Duration) Reason {
	if asked > orDefault(p.MaxRetryAfter, defaultMaxRetryAfter) {
		return ReasonRetryAfterTooLong
	}
	return ""
}

// reasonAgainst returns the reason not to retry, or ReasonRetryable if there is none.
func reasonAgainst(p *Policy, o *result.Outcome, s *State, attempt int, delay, asked time.Duration) Reason {
	e := o.Err
	_, repeat := overall(e, s)
	switch {
	case !e.Retryable && e.Code == toolerr.CodeCanceled:
		return ReasonCanceled
	case len(e.Attempted) > 0 && (e.Retryable || e.Category == toolerr.CategoryTransient):
		return ReasonAlreadyRetried // its flag is sent as false
	case !repeat:
		return ReasonNotRetryable
	case s.Asked:
		return ReasonPersonAsked
	case attempt >= orDefault(p.MaxAttempts, defaultAttempts):
		return ReasonNoAttemptsLeft
	case o.SessionLost && !s.Reconnects:
		return ReasonSessionLost
	case tooLong(p, asked) != "":
		return ReasonRetryAfterTooLong
	case delay > orDefault(p.MaxWait, defaultMaxWait)-s.Waited:
		return ReasonWaitTooLong
	case !s.Deadline.IsZero() && !s.Now.Add(delay).Before(s.Deadline):
		return ReasonPastDeadline
	case s.OverBudget:
		return ReasonBudgetExhausted
	}
	return ReasonRetryable
}

// actionFor returns the action for a call that is not repeated.
func actionFor(e *toolerr.Error, s *State) Action {
	whole, _ := overall(e, s)
	continues := !e.Partial.IsEmpty() && e.Partial.ContinueFrom != nil
	switch {
	case mayHaveTakenEffect(e, s), whole == toolerr.EffectApplied && !continues:
		return ActionVerify
	case e.Code == toolerr.CodeCanceled:
		return ActionPropagate
	case hint.Fixes(string(e.Category), string(e.Code)):
		return ActionFixInput
	}
	return categoryActions[e.Category]
}

// categoryActions maps categories to actions; others propagate.
var categoryActions = map[toolerr.Category]Action{
	toolerr.CategoryValidation: ActionFixInput,
	toolerr.CategoryBusiness:   ActionEscalate,
	toolerr.CategoryPermission: ActionReauthorize,
}

// overall returns the effect of all attempts, the last of which failed with e, and whether the
// identical call may be repeated, because it may succeed and cannot do the work twice. A key makes
// only the same part safe to repeat, and not the call that continues.
func overall(e *toolerr.Error, s *State) (whole toolerr.Effect, repeat bool) {
	worst := effect.Worst(s.past, e.Effect)
	f := effect.Facts{
		Effect: string(worst), Temporary: isTemporary(e, s), Attempted: len(e.Attempted) > 0,
		Partial: !e.Partial.IsEmpty(), Processed: e.Partial != nil && e.Partial.Processed > 0 && isUnknown(worst),
	}
	var tool *effect.Tool // nil if nothing is known about it
	if s.Safety != SafetyUnknown {
		tool = &effect.Tool{ReadOnly: s.Safety == SafetyReadOnly, Idempotent: s.Safety != SafetyKeyed || !f.Partial}
	}
	decided, repeat := effect.Resolve(f, tool)
	return toolerr.Effect(decided), repeat
}

// isTemporary reports whether the identical call may succeed later. For a safe tool, a false flag
// is not final after an error, a timeout or an outage, because whoever set it may not know the
// tool. For a keyed tool, a result's flag is final, because the server knows the key.
func isTemporary(e *toolerr.Error, s *State) bool {
	switch {
	case e.Retryable || s.Safety == SafetyUnknown:
		return e.Retryable
	case s.noResult && e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable:
		return true
	}
	outage := e.Category == toolerr.CategoryTransient && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeUnavailable)
	return outage && isUnknown(e.Effect) && !s.unanswered && (s.Safety != SafetyKeyed || s.noResult)
}

// isUnknown reports whether the effect is unknown or an unrecognized word.
func isUnknown(e toolerr.Effect) bool {
	return e != "" && e != toolerr.EffectNone && e != toolerr.EffectApplied
}

// mayHaveTakenEffect reports whether a call whose last attempt failed with e may have taken effect.
// It returns false if no effect is stated and the failure is retryable (a repeat is safe), partial
// (it says what was done), or of category validation, business or permission (the call was rejected).
func mayHaveTakenEffect(e *toolerr.Error, s *State) bool {
	whole, _ := overall(e, s)
	if whole != "" {
		return isUnknown(whole)
	}
	return !e.Retryable && e.Partial.IsEmpty() && categoryActions[e.Category] == ActionPropagate
}

// isShed reports whether a server sheds load by asking for input without a question.
func isShed(o result.Outcome) bool {
	return o.Kind == result.KindInputRequired && o.Result != nil && len(o.Result.InputRequests) == 0
}

// shed turns o into the failure of a call that a busy server did not execute.
func shed(o result.Outcome) result.Outcome {
	o.Kind = result.KindFailure
	o.Err = toolerr.Transient("The server is busy.").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	return o
}
