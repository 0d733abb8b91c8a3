// Compare is retry.Do beside what a Go program would use otherwise: four
// libraries, and a loop written by hand.
//
//	cd examples/compare
//	go run .
//
// The program has each of them call a function that always fails, in five
// situations in which they differ, and prints what it saw. Read on in
// libraries.go for how each is used, and in facts.go for the situations. The
// same facts, at life size and on a fake clock, are in behaviour_test.go. What a
// call costs is in bench_test.go:
//
//	go test -run '^$' -bench . -count 6
//
// The program in servers is the other side: what reaches an agent when tools
// fail, by how the server is made.
package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"text/tabwriter"
	"time"
)

// short makes all trials end in about a second.
var short = scale{
	base: 600 * time.Millisecond, deadline: 300 * time.Millisecond, hint: time.Second,
	bound: 300 * time.Millisecond, patience: 1200 * time.Millisecond,
}

func main() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // decisions are logged; the table is enough here
	if err := report(os.Stdout); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "compare: %v\n", err)
		os.Exit(1)
	}
}

// report prints the table, and what its columns mean.
func report(w io.Writer) error {
	seen := make([]facts, len(libraries))
	var wg sync.WaitGroup
	for i, l := range libraries {
		wg.Go(func() { seen[i] = observe(l, short) })
	}
	wg.Wait()

	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\tDEADLINE\tLAST ERROR\tHINT\tLONG HINT\tALL WAITS\tUNANSWERED")
	for i, f := range seen {
		_, _ = fmt.Fprintf(table, "%s\treturns %s\t%s\t%s\t%s\t%s\t%s\n", libraries[i].name, f.returns,
			choose(f.lastError, "found", "lost"), f.hint, f.longHint,
			choose(f.bounded, "bounded", "no bound"), choose(f.repeats, "repeats", "does not repeat"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, legend)
	return err
}

func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

const legend = `
DEADLINE    The context's deadline comes before the next attempt could start.
LAST ERROR  Whether errors.Is then finds what the function returned last.
HINT        The server asks for a wait that is longer than the first wait.
LONG HINT   The server asks for a wait of 10 minutes.
ALL WAITS   A bound on all waits together was asked for, where there is an option for it.
UNANSWERED  A gateway timed out: the call may have been carried out.

What a call costs: go test -run '^$' -bench . -count 6
`
