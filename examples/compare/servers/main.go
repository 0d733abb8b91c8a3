// Servers is what reaches an agent when tools fail, by how the server is made:
// with the official SDK alone, with mcp-go, with error objects made by hand, and
// with toolerr-go.
//
//	cd examples/compare
//	go run ./servers
//	go run ./servers -v
//
// The program starts itself as a server, in each way, and makes the same calls
// over stdio; with -v it prints what the server wrote. The code of the tools is
// the same for all of them, and in desk.go: it fails as code does that knows
// nothing of MCP. How the servers are made is in gosdk.go, mcpgo.go, byhand.go,
// guarded.go and toolerr.go. What is asked of the answers is in facts.go, and
// read off the JSON that the server wrote, in any common spelling: spelling.go.
//
// What a call costs is in bench_test.go:
//
//	go test -run '^$' -bench . -count 6 ./servers
package main

import (
	"context"
	"flag"
	"io"
	"os"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() {
	harness.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		flags := flag.NewFlagSet("servers", flag.ContinueOnError)
		verbose := flags.Bool("v", false, "print what the servers wrote")
		serve := flags.String("serve", "", "be the server that is made in this `way`, on stdin and stdout")
		if err := harness.ParseFlagsOnly(flags, args, "Usage: servers [-v]", stdout); err != nil {
			return harness.UsageStatus("servers", err, stderr)
		}
		return harness.Status("servers", run(ctx, *serve, *verbose, stdout), stderr)
	})
}

func run(ctx context.Context, serve string, verbose bool, w io.Writer) error {
	if serve != "" {
		return serveAs(ctx, serve, os.Stdin, os.Stdout)
	}
	return report(ctx, w, verbose)
}
