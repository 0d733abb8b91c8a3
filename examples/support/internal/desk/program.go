// Package desk is the program of examples/support, from the command line to the exit status. It is
// a package so that the modules sql and telemetry can run the same program.
package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// A Program is the example, with the databases and the telemetry that the main package links in.
type Program struct {
	// OpenStore opens the store of idempotency keys for -store. If nil, the program
	// has no databases.
	OpenStore func(ctx context.Context, name string) (store idempotency.Store, closeStore func() error, err error)
	// Receiving, if not nil, is installed outside result.Middleware.
	Receiving mcp.Middleware
	// Metrics, if not nil, is served at /metrics instead of the counts.
	Metrics http.Handler

	// newClient returns the tools' HTTP client. If nil, the client has the time limit of -timeout.
	newClient func(transport http.RoundTripper, timeout time.Duration) *http.Client
}

func (p Program) client(opts options) *http.Client {
	if p.newClient != nil {
		return p.newClient(opts.faults.transport(), opts.timeout)
	}
	return &http.Client{Transport: opts.faults.transport(), Timeout: opts.timeout}
}

// Run runs the program without global state. It returns the exit status: 0 for success, even if a
// server was interrupted; 1 if a scenario or the program failed; 2 for bad flags.
func (p Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	if err == nil && opts.store != "" && p.OpenStore == nil {
		err = errNoDatabases
	}
	switch {
	case err != nil:
		return harness.UsageStatus("support", err, stderr)
	case opts.By() != "":
		err = p.serve(ctx, opts, stderr)
	default:
		err = runScenarios(ctx, scenarios, opts.output, stdout, stderr)
	}
	return harness.Status("support", err, stderr)
}

var errNoDatabases = errors.New("this program has no database in it for -store: run the one in examples/support/sql, " +
	"with the same flags (go run -C examples/support/sql . -http ADDR -store NAME)")

// runScenarios starts the services and the server, and runs the scenarios.
func runScenarios(ctx context.Context, scenarios []scenario, output harness.Output, stdout, stderr io.Writer) error {
	log, closeLog, err := output.OpenLog("support", stderr)
	if err != nil {
		return err
	}
	defer func() { _ = closeLog() }()
	up, err := startUpstreams()
	if err != nil {
		return err
	}
	defer up.close()
	print := &transcript{Transcript: output.Transcript(stdout, harness.NewPen(stdout)), failed: map[[3]string]int{}}
	start := func(ctx context.Context, flags ...string) (*mcp.ClientSession, error) {
		return harness.ConnectSelf(ctx, "support-agent", print.Sending, log, append([]string{"-serve"}, flags...)...)
	}
	session, err := start(ctx, "-orders", up.orders.URL, "-payments", up.payments.URL)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()

	a := &agent{
		session: session, tools: map[string]*mcp.Tool{}, print: print, orders: up.orders, payments: up.payments,
		start: start,
	}
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
