package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
)

// report prints the table and its legend. If verbose is set, it first prints the calls and answers.
func report(ctx context.Context, w io.Writer, verbose, markdown bool) error {
	clients, seen, errs := make([]strictClient, len(ways)), make([][]answer, len(ways)), make([]error, len(ways))
	var wg sync.WaitGroup
	for i, way := range ways {
		wg.Go(func() { clients[i], seen[i], errs[i] = observe(ctx, way.name, "") })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if verbose {
		for i, answers := range seen {
			if err := transcribe(w, ways[i].name, answers); err != nil {
				return err
			}
		}
	}

	table := measure.Table{{"", "ANSWERS", "SECRET", "RETRY", "WAIT", "ARGUMENT", "NEXT STEP", "BOOKING", "STRICT"}}
	for i, answers := range seen {
		f := factsOf(clients[i], answers)
		wait := "-"
		if f.wait > 0 {
			wait = f.wait.String()
		}
		of := fmt.Sprintf(" of %d", len(failures))
		table = append(table, []string{
			ways[i].name, fmt.Sprint(f.answers), choose(f.leaks, "sent", "hidden"), fmt.Sprint(f.retry) + of, wait,
			fmt.Sprintf("%d of 2", f.field), fmt.Sprint(f.next) + of, f.booking, fmt.Sprintf("loses %d", f.dropped),
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

// correlation matches toolerr-go's correlation ids, which are random.
var correlation = regexp.MustCompile(`(correlationId\\":\\")\d{18}`)

func transcribe(w io.Writer, name string, answers []answer) error {
	for _, a := range answers {
		arguments, err := json.Marshal(a.call.arguments)
		if err != nil {
			return err
		}
		text := correlation.ReplaceAll(a.wire, []byte("${1}..."))
		if text == nil {
			text = []byte(choose(a.alive, "no answer", "no answer, and none to the next call"))
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s %s\n%s\n\n", name, a.call.name, a.call.tool, arguments, text); err != nil {
			return err
		}
	}
	return nil
}

const legend = `
ANSWERS    How 9 failed calls are answered: with a failed result that contains JSON, or only text;
           with a protocol error; or not at all, because the server crashed.
SECRET     Whether the password in the errors of two tools is sent.
RETRY      How many of the 9 state in data whether to repeat the call.
WAIT       The wait in data, after an upstream asked for 7 s.
ARGUMENT   How many of two wrong arguments data names.
NEXT STEP  How many of the 9 state in data what to do next.
BOOKING    What data states about a call that may have been carried out, because its connection was
           lost: the effect, and whether to repeat it. A repeat would book twice.
STRICT     How many are lost on a client that validates the structured content of failures.

Data is a member of the structured content, of a JSON text, or of a protocol error's data, in any
common spelling. To see the calls and what the servers write: go run ./servers -v

`
