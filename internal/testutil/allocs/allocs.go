// Package allocs measures how much a function allocates, and how much memory a program keeps. It imports
// only the standard library, so that nested modules do not need the dependencies of other tests.
package allocs

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
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

// AtMost reports an error if each run of f allocates more than most. It only runs f if the race
// detector is on, which drops values from pools at random. It panics beside parallel tests.
func AtMost(tb testing.TB, most int, f func(), what string) {
	tb.Helper()
	if fewest := Fewest(f); fewest > most && !Race() {
		tb.Errorf("%s: %d allocations, more than %d", what, fewest, most)
	}
}

// Race reports whether the race detector is on.
func Race() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Heap returns the size of what is reachable, in bytes. It does not include values that earlier
// tests have left in pools or to finalizers.
func Heap() int {
	for range 3 { // a pool is cleared by the second collection; what a finalizer had, by the next
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc) //nolint:gosec // a heap is smaller than 8 EiB
}
