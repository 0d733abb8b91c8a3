package resulttest

import "context"

// testPromises puts to the test what the failures of a tool promise: what is said of
// the arguments and of other tools, that nothing happened, that a repeat is safe, or
// that it will do after a wait. It is called when all other calls of the tool were
// made, and makes calls of that tool, and of tools that show what it has done.
func (t *turn) testPromises(ctx context.Context) {
	for _, test := range []func(context.Context){t.testHints, t.testSuggestions, t.testRetryable, t.testEffects, t.testIdempotence, t.testKey, t.testWaits} {
		if t.stopped != "" || t.givenUp() {
			return
		}
		test(ctx)
	}
}

// maxTested is how many failures of a tool have the same promise tested by calls.
// Chosen: tools have one or two ways of failing, and the others are like them.
const maxTested = 3

// again is a call like another, made to compare its answer.
func (a *answer) again(name string) probe {
	return probe{name: a.probe.name + ", " + name, arguments: a.probe.arguments, compared: true}
}

// breaks adds that a promise of an answer does not hold, as other answers show.
func (a *answer) breaks(kind Kind, related []*answer, format string, args ...any) {
	a.promised = true
	if a.has(kind) {
		return
	}
	a.add(kind, format, args...)
	a.violations[len(a.violations)-1].related = related
}
