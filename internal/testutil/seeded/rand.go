// Package seeded makes the random cases of tests reproducible. It imports only the standard
// library, so that nested modules do not need the dependencies of other tests.
package seeded

import (
	"flag"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

var seed = flag.Uint64("seed", 1, "determines the generated cases")

// Rand returns a generator that returns the same numbers in every run with the same -seed, so that
// a case that has failed fails again.
func Rand() *rand.Rand { return rand.New(rand.NewPCG(*seed, 0)) }

// Sorted returns the entries of a map in the order of their keys. In the map's own order, the same
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
