package retry_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
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
	return fmt.Sprintf("%v lost=%v, %+v, %+v", q.o.Kind, q.o.SessionLost, struct{ *toolerr.Error }{q.o.Err}, q.s)
}

// questions calls f with every question: all words and flags, and random numbers.
func questions(r *rand.Rand, f func(question)) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n := 0; ; n++ {
		left := n
		e := &toolerr.Error{
			Retryable: digit(&left, false, true),
			Category:  digit[toolerr.Category](&left, "", "transient", "validation", "business", "permission", "quantum"),
			Code: digit[toolerr.Code](&left, "", "timeout", "unavailable", "rate_limited", "canceled", "internal", "not_found",
				"conflict", "failed_precondition", "TooManyRequests"),
			Effect: digit[toolerr.Effect](&left, "", "none", "applied", "unknown", "undone"),
			Partial: digit(&left, nil, &toolerr.Partial{Processed: 1}, &toolerr.Partial{Processed: 1, ContinueFrom: "16"},
				&toolerr.Partial{ContinueFrom: "16"}),
			Attempted:  digit(&left, nil, []toolerr.Attempt{{Attempts: 3}}),
			RetryAfter: pick(r, 0, 0, 0, -1, time.Second, 30*time.Second, 30*time.Second+1),
		}
		q := question{
			o: result.Outcome{Kind: digit(&left, result.KindFailure, result.KindPartial, 0, result.KindData, result.KindEmpty,
				result.KindInputRequired), Err: e},
			s: retry.State{
				Safety:    digit(&left, retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed),
				Unsettled: digit(&left, false, true),
				Asked:     digit(&left, false, true),
				Attempt:   pick(r, 0, 1, 1, 2, 3, 4), Waited: pick(r, 0, 0, time.Second, time.Minute), Now: now,
				Jitter: pick(r, 0, 0.25, 0.5), OverBudget: r.IntN(8) == 0,
			},
		}
		if left > 0 {
			return
		}
		if r.IntN(4) == 0 {
			_, wait := waits(q)
			q.s.Deadline = now.Add(pick(r, 0, wait, wait+1, time.Hour))
		}
		q.o.SessionLost = r.IntN(8) == 0
		if q.o.Kind != result.KindFailure && q.o.Kind != result.KindPartial {
			q.o.Err = nil
		}
		f(q)
	}
}

// digit removes the last digit of a number in the given base, and returns its value.
func digit[T any](left *int, values ...T) T {
	v := values[*left%len(values)]
	*left /= len(values)
	return v
}

// isSafe reports whether the failure and the tool allow the identical call. Like the rest of the
// contract, it is written from the documentation, not from the code.
func isSafe(q question) bool {
	e := q.o.Err
	if e.Effect == "applied" && q.s.Safety != retry.SafetyReadOnly {
		return false
	}
	switch q.s.Safety {
	case retry.SafetyKeyed:
		return e.Retryable
	case retry.SafetyReadOnly, retry.SafetyIdempotent:
		unknown := e.Effect == "unknown" || e.Effect == "undone"
		return e.Retryable || unknown && e.Category == "transient" && (e.Code == "timeout" || e.Code == "unavailable")
	case retry.SafetyUnknown:
	}
	return e.Retryable && !q.s.Unsettled && (e.Effect == "none" || e.Effect == "")
}

// isOpen reports whether the agent must first look up whether the call took effect.
func isOpen(q question) bool {
	e := q.o.Err
	if q.s.Safety == retry.SafetyReadOnly {
		return false
	}
	isPart := e.Partial != nil && e.Partial.Processed > 0
	switch { // what was done stays done, but a part can be continued
	case e.Effect == "applied":
		return !continues(e)
	case isPart && (q.s.Safety == retry.SafetyIdempotent || !q.s.Unsettled && (e.Effect == "" || e.Effect == "none")):
		return !continues(e) // it was applied, and the next item may be done again
	case e.Effect == "none":
		return q.s.Unsettled
	}
	refused := e.Category == "validation" || e.Category == "business" || e.Category == "permission"
	return e.Effect != "" || q.s.Unsettled || !e.Retryable && !refused
}

func continues(e *toolerr.Error) bool {
	return e.Partial != nil && e.Partial.Processed > 0 && e.Partial.ContinueFrom != nil
}

// waits returns the server's hint, and the wait before the next attempt.
func waits(q question) (hint, wait time.Duration) {
	hint, base := max(q.o.Err.RetryAfter, 0), 500*time.Millisecond
	if q.o.Err.Code == "rate_limited" || q.o.Err.Code == "TooManyRequests" {
		base = time.Second
	}
	return hint, hint + time.Duration(q.s.Jitter*float64(base<<(max(q.s.Attempt, 1)-1)))
}

// contract returns the decision of the zero policy.
func contract(q question) retry.Decision {
	d := retry.Decision{Attempt: max(q.s.Attempt, 1), Waited: q.s.Waited, Reason: retry.ReasonUnreadable}
	e := q.o.Err
	if e == nil {
		d.Action = map[result.Kind]retry.Action{
			result.KindData: retry.ActionAccept, result.KindEmpty: retry.ActionAccept,
			result.KindInputRequired: retry.ActionProvideInput,
		}[q.o.Kind]
		d.Reason = map[retry.Action]retry.Reason{
			retry.ActionAccept: retry.ReasonSucceeded, retry.ActionProvideInput: retry.ReasonInputRequired,
			retry.ActionPropagate: retry.ReasonUnreadable,
		}[d.Action]
		return d
	}
	hint, wait := waits(q)
	tooLong, open := hint > 30*time.Second, isOpen(q)
	isPart := e.Partial != nil && e.Partial.Processed > 0 || e.Partial == nil && q.o.Kind == result.KindPartial
	action := map[toolerr.Category]retry.Action{
		"validation": retry.ActionFixInput, "business": retry.ActionEscalate, "permission": retry.ActionReauthorize,
	}[e.Category]
	switch string(e.Code) {
	case "failed_precondition", "conflict":
		action = retry.ActionFixInput
	case "canceled":
		action = retry.ActionPropagate
	}
	for _, row := range []struct {
		applies bool
		action  retry.Action
		reason  retry.Reason
		delay   time.Duration
	}{
		{isPart && continues(e) && tooLong, action, retry.ReasonRetryAfterTooLong, hint},
		{isPart && continues(e), retry.ActionFixInput, retry.ReasonPartialResult, hint},
		{isPart, action, retry.ReasonPartialResult, 0},
		{!e.Retryable && e.Code == "canceled", action, retry.ReasonCanceled, 0},
		{e.Attempted != nil && (e.Retryable || e.Category == "transient"), action, retry.ReasonAlreadyRetried, 0},
		{!isSafe(q), action, retry.ReasonNotRetryable, 0},
		{q.s.Asked, action, retry.ReasonPersonAsked, 0},
		{q.s.Attempt >= 3, action, retry.ReasonNoAttemptsLeft, 0},
		{q.o.SessionLost, action, retry.ReasonSessionLost, 0},
		{tooLong, action, retry.ReasonRetryAfterTooLong, hint},
		{q.s.Waited+wait > time.Minute, action, retry.ReasonWaitTooLong, 0},
		{!q.s.Deadline.IsZero() && !q.s.Now.Add(wait).Before(q.s.Deadline), action, retry.ReasonPastDeadline, 0},
		{q.s.OverBudget, action, retry.ReasonBudgetExhausted, 0},
		{true, retry.ActionRetry, retry.ReasonRetryable, wait},
	} {
		switch {
		case !row.applies:
			continue
		case open && row.action != retry.ActionRetry:
			d.Action, d.Reason = retry.ActionVerify, retry.ReasonMayHaveTakenEffect
		default:
			d.Action, d.Reason, d.Delay = row.action, row.reason, row.delay
		}
		return d
	}
	return d
}

// TestPolicy_DecideEverything compares every decision with the contract, and checks that more
// attempts and waiting never turn a stop into a retry.
func TestPolicy_DecideEverything(t *testing.T) {
	t.Parallel()
	actions, reasons, n := map[retry.Action]int{}, map[retry.Reason]int{}, 0
	questions(rand.New(rand.NewPCG(14, 0)), func(q question) {
		n++
		d := retry.Policy{}.Decide(q.o, q.s)
		actions[d.Action]++
		reasons[d.Reason]++
		if want := contract(q); d != want {
			t.Fatalf("%+v, not %+v, of %v", d, want, q)
		}
		q.s.Attempt, q.s.Waited = q.s.Attempt+5, q.s.Waited+time.Hour
		if again := (retry.Policy{}).Decide(q.o, q.s); again.Action != d.Action && d.Action != retry.ActionRetry {
			t.Fatalf("%+v, and later %+v, of %v", d, again, q)
		}
	})
	assert.Equal(t, 2*6*10*5*4*2*6*4*2*2, n)
	assert.Len(t, actions, 8, "actions")
	assert.Len(t, reasons, 16, "reasons, all but those of a guard and of Resume")
	assert.Greater(t, actions[retry.ActionRetry], 300)
}

// documented has a case for each row of the decision table in the package documentation.
var documented = map[string]result.Outcome{
	"data or empty":                         {Kind: result.KindEmpty},
	"input_required":                        {Kind: result.KindInputRequired, Result: asks()},
	"no outcome, or one of another kind":    {},
	"partial, with an unknown effect":       part(more(15, 16).WithEffect(toolerr.EffectUnknown)),
	"partial, to be continued":              part(more(15, 16)),
	"partial, applied, not to be continued": part(more(15, nil)),
	"of code canceled":                      failure(errRefused.WithRetryable(false).WithCode(toolerr.CodeCanceled)),
	"of category transient, retried inside": failure(errRefused.WithRetryable(false).WithAttempted(toolerr.Attempt{})),

	"of code failed_precondition, conflict or already_exists": failure(toolerr.AlreadyExists("branch", "a")),

	"of category validation":            failure(toolerr.Validation("m")),
	"of category business":              failure(toolerr.Business("m")),
	"of category permission":            failure(toolerr.Permission("m")),
	"of category transient, or another": failure(&toolerr.Error{Category: "odd", Effect: toolerr.EffectNone}),
	"with an unknown or applied effect": failure(toolerr.Business("m").WithEffect(toolerr.EffectUnknown)),
	"a failure that may be repeated":    failure(errRefused),
}

// stops has for each reason not to repeat a failure what makes it apply.
var stops = map[string]func(*question){
	"already_retried":      func(q *question) { q.o.Err = q.o.Err.WithAttempted(toolerr.Attempt{}).WithRetryable(true) },
	"person_asked":         func(q *question) { q.s.Asked = true },
	"no_attempts_left":     func(q *question) { q.s.Attempt = 3 },
	"session_lost":         func(q *question) { q.o.SessionLost = true },
	"retry_after_too_long": func(q *question) { q.o.Err = q.o.Err.WithRetryAfter(30*time.Second + 1) },
	"wait_too_long":        func(q *question) { q.s.Waited, q.s.Jitter = time.Minute, 0.5 },
	"past_deadline":        func(q *question) { q.s.Now, q.s.Deadline = time.Unix(9, 0), time.Unix(9, 0) },
	"budget_exhausted":     func(q *question) { q.s.OverBudget = true },
}

// TestPolicy_DocumentedDecisions compares Decide with the table in the package documentation.
func TestPolicy_DocumentedDecisions(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(doc), "the reason\n")
	table, list, ok := strings.Cut(table, "\n//\n// Instead")
	require.True(t, ok)
	rows := regexp.MustCompile(`(?m)^//\t(\S.*?)  +(\w+) +(\w+)$`).FindAllStringSubmatch(table, -1)
	assert.Len(t, rows, len(documented))
	assert.Equal(t, strings.Count(table, "//\t"), len(rows)+strings.Count(table, ",\n"), "lines, but for headings")
	for _, row := range rows {
		out, ok := documented[row[1]]
		require.True(t, ok, row)
		d := retry.Policy{}.Decide(out, retry.State{})
		assert.Equal(t, row[2]+" "+row[3], testutil.Words(d.Action, d.Reason), row[1])
	}
	list, _, _ = strings.Cut(list, ".")
	reasons := regexp.MustCompile(`\w+_\w+`).FindAllString(list, -1)
	assert.Len(t, reasons, len(stops))
	all := question{o: failure(errRefused)}
	for _, reason := range slices.Backward(reasons) { // each precedes those that apply already
		stops[reason](&all)
		d := retry.Policy{}.Decide(all.o, all.s)
		assert.Equal(t, "propagate "+reason, testutil.Words(d.Action, d.Reason))
	}
	shed := retry.Policy{}.Decide(result.Outcome{Kind: result.KindInputRequired, Result: sheds("")}, retry.State{})
	assert.Equal(t, retry.ActionRetry, shed.Action)
}

// TestPolicy_Delay records decisions about failures: their limits and delays.
func TestPolicy_Delay(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/decisions.txt", func(sample string) string {
		var of struct {
			Err    *toolerr.Error
			Policy retry.Policy
			State  retry.State
		}
		require.NoError(t, json.Unmarshal([]byte(sample), &of), sample) //nolint:musttag // not the wire
		d := of.Policy.Decide(failure(of.Err), of.State)
		return testutil.Words(d.Action, d.Reason, d.Delay)
	})
	d := retry.Policy{}.Decide(failure(errRefused), retry.State{Jitter: math.NaN()})
	assert.Equal(t, "retry 0s", testutil.Words(d.Action, d.Delay))
	long := retry.Policy{
		MaxAttempts: math.MaxInt, BaseDelay: math.MaxInt64, MaxDelay: math.MaxInt64,
		MaxRetryAfter: math.MaxInt64, MaxWait: math.MaxInt64,
	}
	for hint, want := range map[time.Duration]time.Duration{math.MinInt64: 1, math.MaxInt64: 2} { // sums do not overflow
		d = long.Decide(failure(errRefused.WithRetryAfter(hint)), retry.State{Attempt: 9, Jitter: 1})
		assert.InDelta(t, math.MaxInt64/4*want, d.Delay, 1)
	}
}

// TestPolicy_Figures holds those that were measured or chosen, also the random pause between dials.
func TestPolicy_Figures(t *testing.T) {
	t.Parallel()
	shortest, longest := time.Hour, time.Duration(0)
	for range 1000 {
		pause := retry.Policy{BaseDelay: -1}.PauseAfter(errRefused, 2)
		shortest, longest = min(shortest, pause), max(longest, pause)
	}
	const short = 50 * time.Millisecond
	assert.Equal(t, "500ms 1s", testutil.Words(shortest.Truncate(short), longest.Round(2*short)))
	assert.Equal(t, retry.Policy{
		MaxAttempts: 4, BaseDelay: 2 * time.Second, ThrottledDelay: 2 * time.Second,
		IdleTimeout: time.Minute, Budget: &retry.Budget{Size: 300},
	}, retry.AgentPolicy())
	assert.Equal(t, retry.Policy{
		BaseDelay: short, ThrottledDelay: short, MaxDelay: 4 * short, MaxRetryAfter: 2 * short, MaxWait: 6 * short,
	}, retry.ToolPolicy())
}
