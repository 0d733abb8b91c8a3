// Package measure tells what ways of doing the same thing cost beside each other: their
// functions come in, and the process CPU time of a call of each leaves. The ways take
// turns, round after round, so that whatever else the machine does falls on all of them.
package measure

import (
	"runtime"
	"slices"
	"time"
)

// A Way is one way of doing what is compared.
type Way struct {
	Name string
	// Call does it once. An error ends the measurement.
	Call func() error
}

// A Cost is what one call of a way costs.
type Cost struct {
	Way string
	// CPU is the median of the rounds. Elsewhere than on Unix it is the time that has
	// passed.
	CPU time.Duration
	// Allocs and Bytes are what is allocated.
	Allocs, Bytes int

	rounds []float64 // nanoseconds a call
}

// Interleaved measures the ways, each for about so long in each round. The first round
// only finds out how many calls that are.
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
			i := (round + turn) % len(ways) // each comes first now and then
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

// Over returns what a call costs more than one of the other way: the median of the
// differences in each round.
func (c Cost) Over(other Cost) time.Duration {
	return time.Duration(median(c.each(other, func(a, b float64) float64 { return a - b })))
}

// Ratio returns how many times the other way a call costs: the median of the ratios in
// each round.
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
