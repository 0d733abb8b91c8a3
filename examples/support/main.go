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
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. It returns the exit status: 0
// where every scenario ended as it should and where a server was interrupted, 1
// where a scenario did not or the program failed, 2 for bad flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "support: %v; run with -help to see the flags\n", err)
		return 2
	case opts.stdio || opts.addr != "":
		err = serve(ctx, opts, stderr)
	default:
		err = runScenarios(ctx, scenarios, opts.asJSON, stdout, stderr)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "support: %v\n", err)
		return 1
	}
	return 0
}

// runScenarios starts the services and the server, and runs the scenarios.
func runScenarios(ctx context.Context, scenarios []scenario, asJSON bool, stdout, stderr io.Writer) error {
	up, err := startUpstreams()
	if err != nil {
		return err
	}
	defer up.close()
	log := &logWriter{w: stderr}
	start := func(ctx context.Context, flags ...string) (*mcp.ClientSession, error) {
		return startServer(ctx, log, flags...)
	}
	session, err := start(ctx, "-orders", up.orders.URL, "-payments", up.payments.URL)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()

	print := &transcript{w: stdout, failed: map[[3]string]int{}}
	if asJSON {
		print.w = io.Discard
	}
	a := &agent{session: session, tools: map[string]*mcp.Tool{}, print: print, orders: up.orders, payments: up.payments, start: start}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("cannot list the tools: %w", err)
		}
		a.tools[tool.Name] = tool
	}
	var wrong []error
	for i, s := range scenarios {
		print.title(i+1, s)
		out, decision, err := s.run(ctx, a)
		if err != nil {
			err = fmt.Errorf("scenario %s: %w", s.name, err)
			print.say("WRONG   " + err.Error())
			wrong = append(wrong, err)
		}
		if asJSON {
			if err := json.NewEncoder(stdout).Encode(newLine(s, out, decision)); err != nil {
				return err
			}
		}
	}
	print.table()
	return errors.Join(wrong...)
}

// startServer starts this program again, as the MCP server on stdin and stdout,
// and connects to it.
func startServer(ctx context.Context, log io.Writer, flags ...string) (*mcp.ClientSession, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to start it as the server: %w", err)
	}
	command := exec.CommandContext(ctx, self, append([]string{"-serve"}, flags...)...)
	command.Stderr = log
	client := mcp.NewClient(&mcp.Implementation{Name: "support-agent", Version: "v1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the server: %w", err)
	}
	return session, nil
}

// A logWriter takes the logs of several servers.
type logWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *logWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
