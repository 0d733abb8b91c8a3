// Package allocs measures what a function allocates and how much memory a program keeps. It imports
// only the standard library, so that nested modules do not need the dependencies of other tests.
package allocs

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

// Fewest runs f repeatedly, and returns the lowest number of allocations in a run. Some runs have
// more: the race detector and the garbage collector drop values from pools, and goroutines of
// earlier tests allocate too. Fewest panics during parallel tests.
func Fewest(f func()) int {
	const runs = 200
	var before, after runtime.MemStats
	fewest := uint64(math.MaxInt)
	testing.AllocsPerRun(runs, func() { // uses one processor, and panics during parallel tests
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		fewest = min(fewest, after.Mallocs-before.Mallocs)
	})
	return int(fewest)
}

// AtMost reports an error if every run of f makes more than most allocations, unless the race
// detector is on, which drops values from pools at random. It panics during parallel tests.
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

// Heap returns the size of the reachable heap in bytes. It excludes values that earlier tests left
// in pools or to finalizers.
func Heap() int {
	for range 3 { // the second collection clears pools; the next frees what finalizers held
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc) //nolint:gosec // a heap is smaller than 8 EiB
}
