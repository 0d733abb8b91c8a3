// Research runs a coordinator with three subagents, whose sources fail in different ways, and
// prints a report that says what is missing.
//
//	go run ./examples/research
//
// The program starts itself three times, as MCP servers that each search a source of their own, a
// real HTTP service on loopback:
//
//   - papers stalls, then answers 503. Its subagent retries, which the coordinator does not see.
//   - rfcs returns three pages, then asks its caller to wait. Its subagent passes on the part that
//     it has, 15 of 50 entries, and the search continues until it has all.
//   - archive returns one page, then breaks down. Its subagent passes on the page, what it tried,
//     and the alternatives. The coordinator takes the next step, and reports the gap that remains.
//
// The subagents are in subagent.go and handup.go, and the coordinator is in coordinator.go. The run
// fails if a result is not as expected (check.go), for example with:
//
//	go run ./examples/research -attempts 1
package main

import (
	"context"
	"io"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() { harness.Main(run) }

// run runs the program without global state. It returns the exit status: 0 for success, or if
// interrupted as a subagent; 1 for an unexpected result or another failure; 2 for bad flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	switch {
	case err != nil:
		return harness.UsageStatus("research", err, stderr)
	case opts.agent != "":
		err = serve(ctx, opts, stderr)
	default:
		err = newStudy(opts, stdout, stderr).run(ctx)
	}
	return harness.Status("research", err, stderr)
}
