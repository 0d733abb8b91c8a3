// Paths measures what the library costs on the common paths of a call. Each path is shown with its
// floor: the same call with the SDK alone, or written by hand.
//
//	cd examples/compare
//	go run ./paths
//	go run ./paths -only client
//
// The paths are also benchmarks, for profiles:
//
//	go test -run '^$' -bench "Paths/server:_log" -cpuprofile cpu.out ./paths
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// A path is something that programs do: ours with the library, floor without it.
type path struct {
	name        string
	floor, ours func() error
	// bare, if not nil, does what ours does, without the part to measure. Its cost is subtracted.
	bare func() error
}

// paths returns the rows of the table.
func paths() (all []path) {
	for _, of := range []func() []path{serverPaths, clientPaths} {
		all = append(all, of()...)
	}
	return all
}

func main() {
	harness.Main(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		flags := flag.NewFlagSet("paths", flag.ContinueOnError)
		only := flags.String("only", "", "measure the paths whose names contain this `text`")
		markdown := flags.Bool("md", false, "print Markdown")
		rounds := flags.Int("rounds", 51, "how often to measure each path")
		each := flags.Duration("each", 10*time.Millisecond, "how long to measure each time")
		if err := harness.ParseFlagsOnly(flags, args, "Usage: paths [-only text] [-md] [-rounds n] [-each duration]",
			stdout); err != nil {
			return harness.UsageStatus("paths", err, stderr)
		}
		slog.SetDefault(slog.New(slog.DiscardHandler))
		table, err := costs(*only, max(*rounds, 1), *each)
		if err == nil {
			err = table.Print(stdout, *markdown, legend)
		}
		return harness.Status("paths", err, stderr)
	})
}

const legend = `
CPU TIME   Of one call: the median of the rounds, in which both ways take turns. RATIO is the
           median of the rounds' ratios.
`

// costs measures the paths and their floors.
func costs(only string, rounds int, each time.Duration) (measure.Table, error) {
	table := measure.Table{{"CPU TIME", "floor", "ours", "ratio", "allocations"}}
	for _, p := range paths() {
		if !strings.Contains(p.name, only) {
			continue
		}
		ways := []measure.Way{{Name: "floor", Call: p.floor}, {Name: "ours", Call: p.ours}}
		if p.bare != nil {
			ways = append(ways, measure.Way{Name: "bare", Call: p.bare})
		}
		seen, err := measure.Interleaved(ways, rounds, each)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		floor, ours := seen[0], seen[1]
		if p.bare != nil {
			ours = ours.Less(seen[2])
		}
		table = append(table, []string{
			p.name, floor.CPU.String(), ours.CPU.String(), fmt.Sprintf("%.2f", ours.Ratio(floor)),
			fmt.Sprintf("%d, %d", floor.Allocs, ours.Allocs),
		})
	}
	return table, nil
}
