// Servers is what reaches an agent when tools fail, by how the server is made:
// with the official SDK alone, with mcp-go, with error objects made by hand, and
// with toolerr-go.
//
//	cd examples/compare
//	go run ./servers
//	go run ./servers -v
//	go run ./servers -rounds 0 -md
//
// The program starts itself as a server, in each way, and makes the same calls
// over stdio; with -v it prints what the server wrote. The code of the tools is
// the same for all of them, and in desk.go: it fails as code does that knows
// nothing of MCP. How the servers are made is in gosdk.go, mcpgo.go, byhand.go,
// guarded.go and toolerr.go. What is asked of the answers is in facts.go, and
// read off the JSON that the server wrote, in any common spelling: spelling.go.
//
// What a call costs is measured then, in rounds: costs.go. With -rounds 0 it is not, and -md
// prints the tables as Markdown. For profiles the costs are benchmarks too:
//
//	go test -run '^$' -bench '1_KB/toolerr-go' -cpuprofile cpu.out ./servers
package main

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() {
	harness.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		flags := flag.NewFlagSet("servers", flag.ContinueOnError)
		verbose := flags.Bool("v", false, "print what the servers wrote")
		markdown := flags.Bool("md", false, "print Markdown")
		rounds := flags.Int("rounds", 51, "how often each way is measured with each call; 0 is not at all")
		each := flags.Duration("each", 10*time.Millisecond, "how long it is measured each time")
		serve := flags.String("serve", "", "be the server that is made in this `way`, on stdin and stdout")
		if err := harness.ParseFlagsOnly(flags, args, "Usage: servers [-v] [-md] [-rounds n] [-each duration]", stdout); err != nil {
			return harness.UsageStatus("servers", err, stderr)
		}
		if *serve != "" {
			return harness.Status("servers", serveAs(ctx, *serve, os.Stdin, os.Stdout), stderr)
		}
		err := report(ctx, stdout, *verbose, *markdown)
		if err == nil && *rounds > 0 {
			slog.SetDefault(slog.New(slog.DiscardHandler)) // what logs is one way of its own
			err = reportCosts(ctx, stdout, *markdown, *rounds, *each)
		}
		return harness.Status("servers", err, stderr)
	})
}
