package servertest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

const (
	// maxLost is the number of calls without an answer after which a tool is abandoned. It is
	// chosen to be small, because each such call costs Options.Timeout or a new session.
	maxLost = 2
	// maxSilent is how many tools may fail to answer in time before the check stops making calls.
	// It is chosen so that at 15 s per call, a check takes under four minutes if the server hangs,
	// about six if it is slow.
	maxSilent = 5
	// maxSlow is the total duration of a tool's calls, as a multiple of Options.Timeout, beyond
	// which the tool is abandoned. It is chosen as a minute by default; most tools need a second.
	maxSlow = 4
	// maxTested is the maximum number of failures per tool that are tested for the same kind of
	// statement. It is chosen to be small, because the failures of a tool are similar.
	maxTested = 3
)

// A turn checks one tool: its cases, its derived calls, and calls that its answers require.
type turn struct {
	*checker
	*tool

	answers []*answer     // to the cases and the derived calls
	lost    int           // number of calls without an answer
	elapsed time.Duration // of all calls
	stopped string        // why no further calls are made
}

// run makes the call of a case.
func (t *turn) run(ctx context.Context, own *Case) {
	arguments, _ := own.arguments() // validated
	call := func() ([]Finding, error) {
		a := t.try(ctx, probe{name: cmp.Or(own.Name, "the author's case"), arguments: arguments, expected: own})
		if a == nil {
			return nil, errors.New(t.stopped)
		}
		return t.findings(nil, []*answer{a}), nil
	}
	if own.Run != nil {
		own.Run(call)
	} else {
		_, _ = call() // the report has it
	}
}

// try calls the tool, and checks the advice in the answer. It returns nil if the turn has stopped.
func (t *turn) try(ctx context.Context, p probe) *answer {
	if t.isAbandoned() {
		t.stopped = "some calls were skipped: the tool answered too slowly or not at all"
		return nil
	}
	a := t.call(ctx, t.Name, p)
	if a == nil {
		return nil
	}
	t.answers = append(t.answers, a)
	if a.failure != nil {
		t.checkAdvice(a)
	}
	return a
}

// take makes all calls to one tool, except its cases.
func (t *turn) take(ctx context.Context) ToolReport {
	list, skipped := t.opts.probes(t.tool)
	works := false // the first answer is not an internal failure
	for i, p := range list {
		a := t.try(ctx, p)
		if a == nil {
			break
		}
		works = works || i == 0 && !a.isInternal()
		if works && a.isInternal() && (p.forbidden || p.wrong) &&
			(a.failure.members != nil || !t.isReadable(a, a.failure.text)) {
			a.add(KindMasked, "the code is internal, which hides the mistake in the input: %s", p.name)
		}
	}
	if skipped == "" {
		t.testClaims(ctx)
	}
	return ToolReport{Name: t.Name, Skipped: cmp.Or(t.stopped, skipped), Tool: t.Tool}
}

// testClaims verifies the statements in a tool's failures about retries, effects and keys. It runs
// after all other calls to the tool.
func (t *turn) testClaims(ctx context.Context) {
	for _, test := range []func(context.Context){t.testRetryable, t.testEffects, t.testIdempotence, t.testKey} {
		if len(t.answers) == 0 || t.stopped != "" || t.isAbandoned() {
			return
		}
		test(ctx)
	}
}

// valid returns the answer to the valid call: the first success, or else the first answer.
func (t *turn) valid() *answer {
	return t.answers[max(0, slices.IndexFunc(t.answers,
		func(a *answer) bool { return !a.probe.forbidden && a.succeeded() }))]
}

// call makes one call to the turn's tool or to that of a lookup. It returns nil if the turn has stopped.
func (t *turn) call(ctx context.Context, tool string, p probe) *answer {
	if t.silent >= maxSilent {
		t.stopped = "too many other tools did not answer"
		return nil
	}
	if err := t.ready(ctx); err != nil {
		t.stopped = err.Error()
		return nil
	}
	a := t.client.call(ctx, tool, p)
	if ctx.Err() != nil {
		t.stopped = "the check was canceled"
		return nil
	}
	if e := a.out.Err; e != nil && needsTask().MatchString(e.Message) {
		t.stopped = "its calls have to be tasks, which the SDK cannot start or wait for"
		return nil
	}
	a.position = len(t.checker.answers)
	t.checker.answers = append(t.checker.answers, a)
	if !p.compared { // and therefore of the turn's tool
		a.check(t.output, t.timeout)
	}
	of := t.turns[tool]
	wasAbandoned := of.isAbandoned()
	of.elapsed += a.elapsed
	if a.late || a.died {
		of.lost++
	}
	if !wasAbandoned && of.isAbandoned() && !a.died {
		t.silent++
	}
	return a
}

// needsTask matches what a server says about a tool that must be called as a task, and what
// [result.Parse] says about a task.
var needsTask = lazy(`-32601: .*\btask augmentation\b|^The server goes on with the work as a task\.`)

// isAbandoned reports whether too many calls had no answer, or the calls took too long in total.
func (t *turn) isAbandoned() bool {
	return t.lost >= maxLost || t.timeout >= 0 && t.elapsed > maxSlow*t.timeout
}
