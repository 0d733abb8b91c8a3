package resulttest

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// testEffects repeats calls whose failure states that nothing was done or that a repeat is
// safe, with lookups before and after, once for each code.
func (t *turn) testEffects(ctx context.Context) {
	tested := map[string]bool{}
	for _, a := range t.answers {
		claim := t.claimsNothing(a)
		if claim == "" || len(tested) == maxTested || tested[a.failure.code()] {
			continue
		}
		tested[a.failure.code()] = true
		lookups := t.lookups(ctx, a.probe.arguments)
		if len(lookups) == 0 {
			continue
		}
		repeated := t.call(ctx, t.tool.Name, a.again("repeated between two lookups"))
		if repeated == nil {
			return
		}
		if f := readFailureOf(repeated); f == nil || t.claimsNothing(&answer{failure: f, probe: a.probe}) != claim {
			continue // another failure
		}
		a.promised = true
		if shown := t.changes(ctx, lookups); len(shown) > 0 {
			a.breaks(KindFalseEffect, append([]*answer{repeated}, shown...), "the failure has %s, but the answer of %s changed", claim, shown[0].tool)
		}
	}
}

// claimsNothing returns the member of a failure that states that nothing was changed, or "".
// For a read-only tool it is always "".
func (t *turn) claimsNothing(a *answer) string {
	if a.failure == nil || t.isReadOnly() {
		return ""
	}
	switch {
	case a.failure.textOf("effect") == "none":
		return "effect none"
	case a.failure.get(roleRetryable).value == true && !t.isRepeatable(a.probe.arguments):
		return a.failure.get(roleRetryable).path + " true"
	}
	return ""
}

// code returns the failure's code, or "".
func (f failure) code() string {
	code, _ := f.get(roleCode).value.(string)
	return code
}

func (t *turn) isReadOnly() bool { return t.tool.Annotations != nil && t.tool.Annotations.ReadOnlyHint }

// isRepeatable reports whether a call can be repeated even if it changed something: the tool
// is idempotent, or the call has a key.
func (t *turn) isRepeatable(arguments any) bool {
	if t.tool.Annotations != nil && t.tool.Annotations.IdempotentHint {
		return true
	}
	sent, _ := plain(arguments).(map[string]any)
	_, keyed := sent[toolinfo.New(t.tool).KeyArgument()]
	return keyed
}

// readFailureOf returns the failure of an answer with isError, otherwise nil.
func readFailureOf(a *answer) *failure {
	if a.result == nil || !a.result.IsError {
		return nil
	}
	f := readFailure(a.result)
	return &f
}

// testIdempotence repeats the valid call of a tool that is annotated as idempotent. The
// lookups must not return more than before.
func (t *turn) testIdempotence(ctx context.Context) {
	if t.tool.Annotations == nil || !t.tool.Annotations.IdempotentHint || t.isReadOnly() || len(t.answers) == 0 {
		return
	}
	t.repeat(ctx, t.answers[0], t.answers[0].again("repeated between two lookups"), KindFalseEffect,
		"idempotentHint is true, but %s returned more after a repeat of the call")
}

// repeat repeats a successful call, and adds a violation if a lookup then returns more than
// before.
func (t *turn) repeat(ctx context.Context, first *answer, again probe, kind Kind, format string) {
	if !first.succeeded() {
		return
	}
	lookups := t.lookups(ctx, first.probe.arguments)
	if len(lookups) == 0 {
		return
	}
	repeated := t.call(ctx, t.tool.Name, again)
	if repeated == nil || !repeated.succeeded() {
		return
	}
	first.promised = true
	if shown := t.changes(ctx, lookups); len(shown) > 0 && extent(shown[1].result) > extent(shown[0].result) {
		first.breaks(kind, append([]*answer{repeated}, shown...), format, shown[0].tool)
	}
}
