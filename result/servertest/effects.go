package servertest

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// testEffects repeats calls whose failure states that nothing was done or that a repeat is safe,
// with lookups before and after, once per code.
func (t *turn) testEffects(ctx context.Context) {
	tested := map[string]bool{}
	for _, a := range t.answers {
		claim := t.claimsNothing(a)
		if claim == "" || len(tested) == maxTested || tested[a.failure.get(spelling.Code).text()] || t.isAbandoned() {
			continue
		}
		tested[a.failure.get(spelling.Code).text()] = true
		lookups := t.lookups(ctx, a.probe.arguments)
		if len(lookups) == 0 {
			continue
		}
		repeated := t.call(ctx, t.Name, a.again("repeated between two lookups"))
		if t.claimsNothing(repeated) != claim {
			continue // another answer, or none
		}
		a.promised = true
		if shown := t.changes(ctx, lookups); len(shown) > 0 {
			a.breaks(KindFalseEffect, append([]*answer{repeated}, shown...), "the failure has %s, but the answer of %s changed",
				claim, shown[0].tool)
		}
	}
}

// claimsNothing returns the member of a failure that states that nothing was changed, or "". It
// returns "" for a read-only tool. A true isRetryable states this, unless the tool is idempotent or
// the call has a key: such a call may be repeated even if it changed something.
func (t *turn) claimsNothing(a *answer) string {
	if a == nil || a.failure == nil || t.hints.ReadOnlyHint {
		return ""
	}
	if a.failure.textOf("effect") == "none" {
		return "effect none"
	}
	if _, keyed := a.probe.arguments[t.key]; a.failure.get(spelling.Retryable).value == true && !t.hints.IdempotentHint &&
		!keyed {
		return a.failure.get(spelling.Retryable).path + " true"
	}
	return ""
}

// testIdempotence repeats the valid call of a tool that is annotated as idempotent. The lookups
// must not return more than before.
func (t *turn) testIdempotence(ctx context.Context) {
	first := t.valid()
	if !t.hints.IdempotentHint || t.hints.ReadOnlyHint || !first.succeeded() {
		return
	}
	if lookups := t.lookups(ctx, first.probe.arguments); len(lookups) > 0 {
		t.repeat(ctx, first, lookups, "repeated between two lookups", KindFalseEffect,
			"idempotentHint is true, but %s returned more after a repeat of the call")
	}
}

// repeat repeats a successful call and returns the answer, or nil if the repeat did not succeed. It
// adds a violation if a lookup then returns more than before.
func (t *turn) repeat(
	ctx context.Context, first *answer, lookups []*lookup, name string, kind Kind, format string,
) *answer {
	repeated := t.call(ctx, t.Name, first.again(name))
	if !repeated.succeeded() {
		return nil
	}
	first.promised = true
	if shown := t.changes(ctx, lookups); len(shown) > 0 && extent(shown[1]) > extent(shown[0]) {
		first.breaks(kind, append([]*answer{repeated}, shown...), format, shown[0].tool)
	}
	return repeated
}

// testKey makes a call twice with the same idempotency key. The second call must neither be
// executed nor return another id.
func (t *turn) testKey(ctx context.Context) {
	if t.key == "" || t.hints.ReadOnlyHint {
		return
	}
	arguments := maps.Clone(t.valid().probe.arguments)
	arguments[t.key] = "key-" + rand.Text()
	first := t.call(ctx, t.Name, probe{name: "with a new key", arguments: arguments, compared: true})
	if !first.succeeded() {
		return
	}
	second := t.repeat(ctx, first, t.lookups(ctx, arguments), "repeated with the same key", KindKeyIgnored,
		"a repeat with the same key was executed: %s returned more than before")
	if second == nil {
		return
	}
	was, is := identities(first), identities(second)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] != "" && is[name] != was[name] {
			first.breaks(KindKeyIgnored, []*answer{second}, "a repeat with the same key returned another %s: %s instead of %s",
				name, clip(is[name], 60), clip(was[name], 60))
		}
	}
}

// idMembers matches JSON members that are named like an id.
var idMembers = lazy(`"((?i:\w*_)?[iI][dD]|\w*[a-z]I[dD])": ?("[^"]*"|\d+)`)

// requestWords lists words in the names of ids that belong to the call, not its result.
var requestWords = []string{"request", "correlation", "trace", "span", "log", "session", "event", "attempt", "call"}

// identities returns the ids in an answer by name; for equal names, the last one.
func identities(a *answer) map[string]string {
	ids := map[string]string{}
	for _, member := range idMembers().FindAllStringSubmatch(strings.Join(texts(a.result), "\n"), -1) {
		if !hasWord(member[1], requestWords) {
			ids[member[1]] = member[2]
		}
	}
	return ids
}
