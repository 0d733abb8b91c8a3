package resulttest

import "context"

// testPromises verifies the statements in a tool's failures: about arguments and other
// tools, effects, retries, keys and waits. It is called after all other calls of the tool,
// and calls the tool and the lookups that show its effects.
func (t *turn) testPromises(ctx context.Context) {
	for _, test := range []func(context.Context){t.testHints, t.testSuggestions, t.testRetryable, t.testEffects, t.testIdempotence, t.testKey, t.testWaits} {
		if t.stopped != "" || t.isAbandoned() {
			return
		}
		test(ctx)
	}
}

// maxTested is how many failures of a tool are tested for the same kind of statement.
// Chosen: the failures of a tool are similar.
const maxTested = 3

// again returns a repeat of the call, whose answer is only compared.
func (a *answer) again(name string) probe {
	return probe{name: a.probe.name + ", " + name, arguments: a.probe.arguments, compared: true}
}

// breaks adds the violation of a statement, which the related answers prove.
func (a *answer) breaks(kind Kind, related []*answer, format string, args ...any) {
	a.promised = true
	if a.has(kind) {
		return
	}
	a.add(kind, format, args...)
	a.violations[len(a.violations)-1].related = related
}
