// Package seeded generates the random cases of tests. It imports only the standard library, so that
// nested modules do not need the dependencies of other tests.
package seeded

import (
	"flag"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

var seed = flag.Uint64("seed", 1, "determines the generated cases")

// Rand returns a generator of the same numbers in every run with the same -seed, so a case that
// fails once fails again.
func Rand() *rand.Rand { return rand.New(rand.NewPCG(*seed, 0)) }

// Sorted returns the entries of a map in the order of their keys. In a map's own order, the same
// numbers would generate different cases in each run.
func Sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
