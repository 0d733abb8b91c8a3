package resulttest

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// testEffects repeats calls of which the failure says that nothing was done, or that
// the same call is safe to send again, with a look before and one after: one call for
// each code.
func (t *turn) testEffects(ctx context.Context) {
	tested := map[string]bool{}
	for _, a := range t.answers {
		claim := t.claimsNothing(a)
		if claim == "" || len(tested) == maxTested || tested[a.failure.code()] {
			continue
		}
		tested[a.failure.code()] = true
		looks := t.looks(ctx, a.probe.arguments)
		if len(looks) == 0 {
			continue
		}
		repeated := t.call(ctx, t.tool.Name, a.again("repeated between two lookups"))
		if repeated == nil {
			return
		}
		if f := readFailureOf(repeated); f == nil || t.claimsNothing(&answer{failure: f, probe: a.probe}) != claim {
			continue // it fails in another way this time
		}
		a.promised = true
		if shown := t.changes(ctx, looks); len(shown) > 0 {
			a.breaks(KindFalseEffect, append([]*answer{repeated}, shown...), "the failure has %s, but the answer of %s changed", claim, shown[0].tool)
		}
	}
}

// claimsNothing returns the words in which a failure of a tool that changes something
// says that nothing was changed, or nothing.
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

// code is the failure's, or "".
func (f failure) code() string {
	code, _ := f.get(roleCode).value.(string)
	return code
}

func (t *turn) isReadOnly() bool { return t.tool.Annotations != nil && t.tool.Annotations.ReadOnlyHint }

// isRepeatable reports whether a call may be sent again although it has done something:
// by the tool's annotation, or because it carries a key.
func (t *turn) isRepeatable(arguments any) bool {
	if t.tool.Annotations != nil && t.tool.Annotations.IdempotentHint {
		return true
	}
	sent, _ := plain(arguments).(map[string]any)
	_, keyed := sent[toolinfo.New(t.tool).KeyArgument()]
	return keyed
}

// readFailureOf reads an answer that was made to be compared, or returns nil if it is no
// flagged failure.
func readFailureOf(a *answer) *failure {
	if a.result == nil || !a.result.IsError {
		return nil
	}
	f := readFailure(a.result)
	return &f
}

// testIdempotence repeats the call that works of a tool which is annotated as
// idempotent: there must not be more than before.
func (t *turn) testIdempotence(ctx context.Context) {
	if t.tool.Annotations == nil || !t.tool.Annotations.IdempotentHint || t.isReadOnly() || len(t.answers) == 0 {
		return
	}
	t.repeat(ctx, t.answers[0], t.answers[0].again("repeated between two lookups"), KindFalseEffect,
		"idempotentHint is true, but %s returned more after a repeat of the call")
}

// repeat makes a call that has succeeded once more, and adds a violation if a look then
// shows more than before it.
func (t *turn) repeat(ctx context.Context, first *answer, again probe, kind Kind, format string) {
	if !first.succeeded() {
		return
	}
	looks := t.looks(ctx, first.probe.arguments)
	if len(looks) == 0 {
		return
	}
	repeated := t.call(ctx, t.tool.Name, again)
	if repeated == nil || !repeated.succeeded() {
		return
	}
	first.promised = true
	if shown := t.changes(ctx, looks); len(shown) > 0 && extent(shown[1].result) > extent(shown[0].result) {
		first.breaks(kind, append([]*answer{repeated}, shown...), format, shown[0].tool)
	}
}
