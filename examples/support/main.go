// Support is a support agent whose tools fail in every way, and what it does
// about each.
//
//	go run ./examples/support
//
// The program starts its own MCP server as a child process and talks to it over
// stdio. Behind the server stand an order service and a payment gateway, real
// HTTP services on loopback that misbehave on command. Read on in server.go for
// the tools, and in scenarios.go for the agent.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"os/signal"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. It returns the exit status: 0
// where every scenario ended as it should, 1 where one did not or the program
// failed, 2 for bad flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("support", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of our own instead
	serve := flags.Bool("serve", false, "be the MCP server, on stdin and stdout")
	orders := flags.String("orders", "", "with -serve: the order service's URL")
	payments := flags.String("payments", "", "with -serve: the payment gateway's URL")
	asJSON := flags.Bool("json", false, "print one JSON object per scenario")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "Usage: support [-json], or support -serve -orders URL -payments URL")
		flags.PrintDefaults()
		return 0
	case err != nil:
		return usage(stderr, err.Error())
	case flags.NArg() > 0:
		return usage(stderr, fmt.Sprintf("unexpected argument %q", flags.Arg(0)))
	case *serve && (*orders == "" || *payments == ""):
		return usage(stderr, "-serve needs -orders URL and -payments URL")
	case *serve && *asJSON:
		return usage(stderr, "-json does not go with -serve")
	case !*serve && (*orders != "" || *payments != ""):
		return usage(stderr, "-orders and -payments go with -serve")
	}
	for name, value := range map[string]string{"-orders": *orders, "-payments": *payments} {
		if u, err := url.Parse(value); *serve && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return usage(stderr, fmt.Sprintf("%s wants a URL such as http://127.0.0.1:8080, got %q", name, value))
		}
	}
	if *serve {
		// Logs go to stderr: stdout belongs to the protocol.
		logger := slog.New(slog.NewTextHandler(stderr, nil))
		err = newServer(*orders, *payments, logger).Run(ctx, &mcp.StdioTransport{})
	} else {
		err = runScenarios(ctx, scenarios, *asJSON, stdout, stderr)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "support: %v\n", err)
		return 1
	}
	return 0
}

func usage(stderr io.Writer, what string) int {
	_, _ = fmt.Fprintf(stderr, "support: %s; run with -help to see the flags\n", what)
	return 2
}

// runScenarios starts the services and the server, and runs the scenarios.
func runScenarios(ctx context.Context, scenarios []scenario, asJSON bool, stdout, stderr io.Writer) error {
	orders, err := startOrders()
	if err != nil {
		return err
	}
	defer orders.close()
	payments, err := startGateway()
	if err != nil {
		return err
	}
	defer payments.close()

	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to start it as the server: %w", err)
	}
	command := exec.CommandContext(ctx, self, "-serve", "-orders", orders.URL, "-payments", payments.URL)
	command.Stderr = stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "support-agent", Version: "v1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return fmt.Errorf("cannot connect to the server: %w", err)
	}
	defer func() { _ = session.Close() }()

	print := &transcript{w: stdout, failed: map[[3]string]int{}}
	if asJSON {
		print.w = io.Discard
	}
	a := &agent{session: session, tools: map[string]*mcp.Tool{}, print: print, orders: orders, payments: payments}
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
