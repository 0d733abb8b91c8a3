package retry

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A State is what else a decision depends on. Its zero is the first attempt.
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

	tool       string         // the tool's name, if it is a tool's call
	past       toolerr.Effect // the worst effect of the earlier attempts; in Decide, unknown if Unsettled
	pause      time.Duration  // the minimum wait, after a failed dial or a lost session
	noResult   bool           // the failure is an error and not a result, so it was classified here
	unanswered bool           // the server did not answer
	ended      error          // the context's error, if it has ended
}

// Decide returns what to do about an outcome, by the table of the package.
func (p Policy) Decide(o result.Outcome, s State) Decision {
	if isShed(o) {
		o.Kind, o.Err = result.KindFailure, errBusy
	}
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
	d := Decision{Attempt: max(s.Attempt, 1), Waited: s.Waited, Reason: ReasonUnreadable, Tool: s.tool}
	e := o.Err
	switch {
	case o.Kind == result.KindData || o.Kind == result.KindEmpty:
		d.Action, d.Reason = ActionAccept, ReasonSucceeded
		return d
	case o.Kind == result.KindInputRequired:
		d.Action, d.Reason = ActionProvideInput, ReasonInputRequired
		return d
	case e == nil || o.Kind != result.KindPartial && o.Kind != result.KindFailure:
		return d
	}
	whole, repeat := overall(e, s)
	delay, asked := delayOf(p, e, d.Attempt, s.Jitter)
	delay = max(delay, s.pause)
	isPart := !e.Partial.IsEmpty() || e.Partial == nil && o.Kind == result.KindPartial
	continues := !e.Partial.IsEmpty() && e.Partial.ContinueFrom != nil
	isTooLong := asked > orDefault(p.MaxRetryAfter, defaultMaxRetryAfter)
	for _, row := range [...]struct { // the first that applies
		reason  Reason
		applies bool
	}{
		{ReasonRetryAfterTooLong, continues && isTooLong},
		{ReasonPartialResult, isPart},
		{ReasonCanceled, !e.Retryable && e.Code == toolerr.CodeCanceled},
		{ReasonAlreadyRetried, len(e.Attempted) > 0 && (e.Retryable || e.Category == toolerr.CategoryTransient)},
		{ReasonNotRetryable, !repeat},
		{ReasonPersonAsked, s.Asked},
		{ReasonNoAttemptsLeft, d.Attempt >= orDefault(p.MaxAttempts, defaultAttempts)},
		{ReasonSessionLost, o.SessionLost && !s.Reconnects},
		{ReasonRetryAfterTooLong, isTooLong},
		{ReasonWaitTooLong, delay > orDefault(p.MaxWait, defaultMaxWait)-s.Waited},
		{ReasonPastDeadline, !s.Deadline.IsZero() && !s.Now.Add(delay).Before(s.Deadline)},
		{ReasonBudgetExhausted, s.OverBudget},
		{reasonOf(s.ended), s.ended != nil},
		{ReasonRetryable, true},
	} {
		if row.applies {
			d.Reason = row.reason
			break
		}
	}
	switch d.Action = actionFor(e, whole, continues); {
	case d.Reason == ReasonRetryable:
		d.Action, d.Delay = ActionRetry, delay
	case d.Action == ActionVerify:
		d.Reason = ReasonMayHaveTakenEffect
	case d.Reason == ReasonPartialResult && continues:
		d.Action, d.Delay = ActionFixInput, asked
	case d.Reason == ReasonRetryAfterTooLong:
		d.Delay = asked
	}
	return d
}

func reasonOf(ended error) Reason {
	if errors.Is(ended, context.DeadlineExceeded) {
		return ReasonPastDeadline
	}
	return ReasonCanceled
}

// actionFor returns the action for a call that is not repeated. Continues means that another call gets the rest.
func actionFor(e *toolerr.Error, whole toolerr.Effect, continues bool) Action {
	switch {
	case mayHaveTakenEffect(e, whole), whole == toolerr.EffectApplied && !continues:
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
		Partial:   !e.Partial.IsEmpty(),
		Processed: e.Partial != nil && e.Partial.Processed > 0,
	}
	var tool *effect.Tool // nil if nothing is known about it
	if s.Safety != SafetyUnknown {
		tool = &effect.Tool{ReadOnly: s.Safety == SafetyReadOnly, Idempotent: s.Safety != SafetyKeyed || !f.Partial}
	}
	decided, repeat := effect.Resolve(f, tool)
	return toolerr.Effect(decided), repeat
}

// isTemporary reports whether the identical call may succeed later. For a safe tool, a false flag is not
// final after an error, a timeout or an outage; for a keyed tool a result's is: the server knows the key.
func isTemporary(e *toolerr.Error, s *State) bool {
	outage := e.Category == toolerr.CategoryTransient &&
		(e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeUnavailable)
	return e.Retryable || s.Safety != SafetyUnknown &&
		(s.noResult && e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable ||
			outage && effect.IsUnknown(e.Effect) && !s.unanswered && (s.Safety != SafetyKeyed || s.noResult))
}

// mayHaveTakenEffect reports whether a call whose last attempt failed with e may have taken effect: see doc.go.
func mayHaveTakenEffect(e *toolerr.Error, whole toolerr.Effect) bool {
	return effect.IsUnknown(whole) ||
		whole == "" && !e.Retryable && e.Partial.IsEmpty() && categoryActions[e.Category] == ActionPropagate
}

// isShed reports whether a server sheds load by asking for input without a question.
func isShed(o result.Outcome) bool {
	return o.Kind == result.KindInputRequired && o.Result != nil && len(o.Result.InputRequests) == 0
}

var errBusy = toolerr.Unavailable("The server is busy.", 0)
