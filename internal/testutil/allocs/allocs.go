// Package allocs takes a function and returns how much it allocates, or how much a program has
// kept. It imports only the standard library, so that nested modules do not need what other
// tests do.
package allocs

import (
	"math"
	"runtime"
	"testing"
)

// Fewest returns the fewest allocations of a run of f. Other runs have more: the race
// detector and the garbage collector drop values from pools, and goroutines of an earlier test
// allocate. It panics beside parallel tests.
func Fewest(f func()) int {
	const runs = 200
	var before, after runtime.MemStats
	fewest := uint64(math.MaxInt)
	testing.AllocsPerRun(runs, func() { // for one processor, and the panic
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		fewest = min(fewest, after.Mallocs-before.Mallocs)
	})
	return int(fewest)
}

// Heap returns the size of what is reachable, in bytes. Values that earlier tests have left in
// pools or to finalizers are not part of it.
func Heap() int {
	for range 3 { // a pool is cleared by the second collection; what a finalizer had, by the next
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc) //nolint:gosec // a heap is smaller than 8 EiB
}
