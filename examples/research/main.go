// Research is a coordinator with three subagents, whose sources fail in three
// ways, and a report that says what is missing.
//
//	go run ./examples/research
//
// The program starts itself three times, as MCP servers that each search a source
// of their own, a real HTTP service on loopback:
//
//   - papers stalls, then answers 503. Its subagent tries again, and the
//     coordinator never learns of it.
//   - rfcs gives three pages and then wants to be left alone. Its subagent hands
//     up the part that it has, 15 of 50, and is continued until all are there.
//   - archive gives one page and is gone for good. Its subagent hands up the page,
//     what it tried and what else there is; the coordinator takes the next step,
//     and names the gap that is left.
//
// Read on in subagent.go and handup.go for the one side, in coordinator.go for the
// other. The run fails where any of this comes out otherwise, see check.go:
//
//	go run ./examples/research -attempts 1
package main

import (
	"context"
	"io"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() { harness.Main(run) }

// run is main with its surroundings as arguments. It returns the exit status: 0
// where all ended as it should and where a subagent was interrupted, 1 where it did
// not or the program failed, 2 for bad flags.
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
