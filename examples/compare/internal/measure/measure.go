// Package measure compares the costs of several ways to do the same thing: the CPU time and the
// allocations of one call each. The ways take turns in each round, so that other load on the
// machine affects all of them alike.
package measure

import (
	"runtime"
	"slices"
	"time"
)

// A Way is one way to do the thing.
type Way struct {
	Name string
	// Call does the thing once. An error ends the measurement.
	Call func() error
}

// A Cost is the cost of one Way.Call.
type Cost struct {
	Way string
	// CPU is the median CPU time of the rounds. On systems other than Unix, it is elapsed time.
	CPU time.Duration
	// Allocs and Bytes are the number and total size of the allocations, in the last round.
	Allocs, Bytes int

	rounds []float64 // nanoseconds per call
}

// Interleaved measures each way for about the given time in each round. A preliminary round
// determines how many calls that takes.
func Interleaved(ways []Way, rounds int, each time.Duration) ([]Cost, error) {
	costs, calls := make([]Cost, len(ways)), make([]int, len(ways))
	for i, w := range ways {
		costs[i].Way, calls[i] = w.Name, 1
		for {
			took, err := run(w, calls[i])
			if err != nil {
				return nil, err
			}
			if took >= each/2 {
				calls[i] = max(1, int(float64(calls[i])*float64(each)/float64(took)))
				break
			}
			calls[i] *= 2
		}
	}
	for round := range rounds {
		for turn := range ways {
			i := (round + turn) % len(ways) // each way comes first in turn
			w := ways[i]
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			took, err := run(w, calls[i])
			if err != nil {
				return nil, err
			}
			runtime.ReadMemStats(&after)
			costs[i].Allocs = int(after.Mallocs-before.Mallocs) / calls[i]
			costs[i].Bytes = int(after.TotalAlloc-before.TotalAlloc) / calls[i]
			costs[i].rounds = append(costs[i].rounds, float64(took)/float64(calls[i]))
		}
	}
	for i := range costs {
		costs[i].CPU = time.Duration(median(costs[i].rounds))
	}
	return costs, nil
}

func run(w Way, calls int) (time.Duration, error) {
	start := cpu()
	for range calls {
		if err := w.Call(); err != nil {
			return 0, err
		}
	}
	return cpu() - start, nil
}

// Over returns how much more CPU time one call takes than one call of the other way: the median of
// the per-round differences.
func (c Cost) Over(other Cost) time.Duration { return c.Less(other).CPU }

// Less returns the cost of c's call minus that of other's.
func (c Cost) Less(other Cost) Cost {
	rounds := c.each(other, func(a, b float64) float64 { return a - b })
	return Cost{
		Way: c.Way, CPU: time.Duration(median(rounds)), Allocs: c.Allocs - other.Allocs,
		Bytes: c.Bytes - other.Bytes, rounds: rounds,
	}
}

// Ratio returns a call's CPU time divided by the other way's: the median of the per-round ratios.
func (c Cost) Ratio(other Cost) float64 {
	return median(c.each(other, func(a, b float64) float64 { return a / b }))
}

func (c Cost) each(other Cost, f func(a, b float64) float64) []float64 {
	out := make([]float64, len(c.rounds))
	for i := range out {
		out[i] = f(c.rounds[i], other.rounds[i])
	}
	return out
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }
