// Support is a support agent whose tools fail in every way, and what it does
// about each.
//
//	go run ./examples/support
//
// The program starts its own MCP server as a child process and talks to it over
// stdio. Behind the server stand an order service and a payment gateway, real
// HTTP services on loopback that misbehave on command. Read on in server.go for
// the tools, and in scenarios.go for the agent.
//
// The server alone, for an MCP client of your own, with tools that fail as you
// say:
//
//	go run ./examples/support -http 127.0.0.1:8080 -fault lookup_order=timeout:2
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() { harness.Main(run) }

// run is main with its surroundings as arguments. It returns the exit status: 0
// where every scenario ended as it should and where a server was interrupted, 1
// where a scenario did not or the program failed, 2 for bad flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	switch {
	case err != nil:
		return harness.UsageStatus("support", err, stderr)
	case opts.Chosen():
		err = serve(ctx, opts, stderr)
	default:
		err = runScenarios(ctx, scenarios, opts.asJSON, stdout, stderr)
	}
	return harness.Status("support", err, stderr)
}

// runScenarios starts the services and the server, and runs the scenarios.
func runScenarios(ctx context.Context, scenarios []scenario, asJSON bool, stdout, stderr io.Writer) error {
	up, err := startUpstreams()
	if err != nil {
		return err
	}
	defer up.close()
	log := harness.Locked(stderr) // of several servers
	start := func(ctx context.Context, flags ...string) (*mcp.ClientSession, error) {
		return harness.ConnectSelf(ctx, "support-agent", log, append([]string{"-serve"}, flags...)...)
	}
	session, err := start(ctx, "-orders", up.orders.URL, "-payments", up.payments.URL)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()

	print := &transcript{Transcript: harness.Transcript{W: stdout, JSON: asJSON}, failed: map[[3]string]int{}}
	a := &agent{session: session, tools: map[string]*mcp.Tool{}, print: print, orders: up.orders, payments: up.payments, start: start}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("cannot list the tools: %w", err)
		}
		a.tools[tool.Name] = tool
	}
	var wrong []error
	for i, s := range scenarios {
		print.Title(i+1, s.title)
		out, decision, err := s.run(ctx, a)
		if ctx.Err() != nil {
			return harness.ErrInterrupted
		}
		if err != nil {
			err = fmt.Errorf("scenario %s: %w", s.name, err)
			print.Wrong(err)
			wrong = append(wrong, err)
		}
		if err := print.End(newLine(s, out, decision)); err != nil {
			return err
		}
	}
	print.table()
	return errors.Join(append(wrong, print.Err())...)
}
