// Compare compares retry.Do with its alternatives in Go: five libraries and a handwritten loop.
//
//	cd examples/compare
//	go run .
//
// The program prints how each except go-retryablehttp behaves if a function always fails, and then
// what a call costs in the situations of costs.go. libraries.go shows how the others are used, and
// facts.go observes the behavior. behaviour_test.go checks the same facts with realistic durations
// on a fake clock. The costs are also benchmarks, for profiles:
//
//	go test -run '^$' -bench 'Costs/2_structs/toolerr-go' -cpuprofile cpu.out
//
// With -rounds 0 nothing is measured, and -md prints Markdown.
//
// The program in ./servers compares what reaches an agent when a server's tools fail.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
)

// short makes all trials end within about a second.
var short = scale{
	base: 600 * time.Millisecond, deadline: 300 * time.Millisecond, hint: time.Second,
	bound: 300 * time.Millisecond, patience: 1200 * time.Millisecond,
}

func main() {
	rounds := flag.Int("rounds", 51, "how often to measure each library in each situation; 0 skips the measurements")
	each := flag.Duration("each", 5*time.Millisecond, "how long to measure each time")
	markdown := flag.Bool("md", false, "print Markdown")
	flag.Parse()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // decisions are logged; the table is enough here
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := report(os.Stdout, *markdown)
	if err == nil && *rounds > 0 {
		err = reportCosts(ctx, os.Stdout, *markdown, *rounds, *each)
	}
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "compare: %v\n", err)
		os.Exit(1) //nolint:gocritic // nothing is left that waits for the context
	}
}

// report prints the table of facts, and what its columns mean.
func report(w io.Writer, markdown bool) error {
	seen := make([]facts, len(libraries))
	var wg sync.WaitGroup
	for i, l := range libraries {
		wg.Go(func() { seen[i] = observe(l, short) })
	}
	wg.Wait()

	table := measure.Table{{"", "DEADLINE", "LAST ERROR", "HINT", "LONG HINT", "ALL WAITS", "UNANSWERED"}}
	for i, f := range seen {
		table = append(table, []string{
			libraries[i].name, "returns " + f.returns, choose(f.lastError, "found", "lost"), f.hint, f.longHint,
			choose(f.bounded, "bounded", "no bound"), choose(f.repeats, "repeats", "does not repeat"),
		})
	}
	return table.Print(w, markdown, legend)
}

// reportCosts measures the costs, and prints them as a table.
func reportCosts(ctx context.Context, w io.Writer, markdown bool, rounds int, each time.Duration) error {
	table, err := costs(ctx, rounds, each)
	if err != nil {
		return err
	}
	return table.Print(w, markdown, costLegend)
}

func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

const legend = `
DEADLINE    The context's deadline comes before the next attempt could start.
LAST ERROR  Whether errors.Is then finds the function's last error.
HINT        The server asks for a wait that is longer than the first wait.
LONG HINT   The server asks for a wait of 10 minutes.
ALL WAITS   Whether the sum of all waits can be bounded.
UNANSWERED  A gateway timed out: the call may have been carried out.

`

const costLegend = `
CPU TIME    Of the process, for one call: the median of the rounds, in which all libraries take
            turns; in brackets the difference from the bare loop; then the allocations. Up to three
            attempts with the same base delay, each with a timer. Libraries that do not classify
            errors have a predicate written by hand for this error.
OURS        An error made with package toolerr.
STRUCT      An error with the fields StatusCode and RetryAfter, of an unrelated library.
HTTP        Requests to an in-memory service. go-retryablehttp is only for these.
`
