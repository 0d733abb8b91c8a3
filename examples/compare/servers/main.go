// Servers compares what reaches an agent when tools fail on servers that use the official SDK
// alone, mcp-go, error objects written by hand, or toolerr-go.
//
//	cd examples/compare
//	go run ./servers
//	go run ./servers -v
//	go run ./servers -rounds 0 -md
//
// The program starts itself as each of these servers, and makes the same calls over stdio; with -v
// it prints the servers' output. All servers have the same tools, in desk.go, which return plain Go
// errors. The servers are in gosdk.go, mcpgo.go, byhand.go, guarded.go and toolerr.go. The facts
// (facts.go) are read from the JSON on the wire, whichever common spelling it uses (spelling.go).
//
// Then it measures the cost of a call, in rounds (costs.go). With -rounds 0 it measures nothing,
// and -md prints Markdown. The costs are also benchmarks, for profiles:
//
//	go test -run '^$' -bench 'Costs/1_KB/toolerr-go' -cpuprofile cpu.out ./servers
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
		verbose := flags.Bool("v", false, "print what the servers write")
		markdown := flags.Bool("md", false, "print Markdown")
		rounds := flags.Int("rounds", 51, "how often to measure each server with each call; 0 skips the measurements")
		each := flags.Duration("each", 10*time.Millisecond, "how long to measure each time")
		serve := flags.String("serve", "", "run the server made in this `way`, on stdin and stdout")
		if err := harness.ParseFlagsOnly(flags, args, "Usage: servers [-v] [-md] [-rounds n] [-each duration]",
			stdout); err != nil {
			return harness.UsageStatus("servers", err, stderr)
		}
		if *serve != "" {
			return harness.Status("servers", serveAs(ctx, *serve, os.Stdin, os.Stdout), stderr)
		}
		err := report(ctx, stdout, *verbose, *markdown)
		if err == nil && *rounds > 0 {
			slog.SetDefault(slog.New(slog.DiscardHandler)) // logging is measured as a way of its own
			err = reportCosts(ctx, stdout, *markdown, *rounds, *each)
		}
		return harness.Status("servers", err, stderr)
	})
}
