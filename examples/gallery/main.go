// Gallery is an MCP server whose small tools fail in different ways and say what to do next, and a
// client that calls them, shows the results, and does what they say.
//
//	go run ./examples/gallery
//
// Each tool is in a file of its own, made to be copied:
//
//	stock.go      a name that does not exist: near misses
//	readfile.go   a path with a typo: near misses among real files
//	openfile.go   a name that fits several things: the options
//	writefile.go  a folder that is closed by policy: a hint that ends the attempts
//	terminate.go  a call that comes too early: the tool to call first (stop.go)
//	travel.go     a date in the past: today's date, and the one that was meant
//	batch.go      work that stops in the middle: what was done, and where to go on
//	charge.go     what must not be done twice: a key (charges.go finds the charges)
//	report.go     an error nobody can explain: after the third, a link
//	weather.go    an enum, a slow service, a city that does not exist
//	record.go     a check that itself fails: an internal error, and nothing is shown
//
// server.go registers the tools, which use service.go and workspace.go; scenarios.go calls them. If
// a scenario does not end as expected, the exit status is 1. The servers' log goes to a file, whose
// name is printed at the start, or to stderr with -log -.
//
// The server alone, for an MCP client of your own:
//
//	go run ./examples/gallery -http 127.0.0.1:8080
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func main() { harness.Main(program{startService, handlerLimit}.run) }

// A program is the gallery: how it starts services, and its time limit for tools.
type program struct {
	start func(name string, limit time.Duration, handler http.Handler) (*service, error)
	limit time.Duration
}

// run runs the program without global state. It returns the exit status: 0 for success, even if a
// server was interrupted; 1 if a scenario or the program failed; 2 for bad flags.
func (p program) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	switch {
	case err != nil:
		return harness.UsageStatus("gallery", err, stderr)
	case opts.By() != "":
		err = p.serve(ctx, opts, stderr)
	default:
		err = runScenarios(ctx, scenarios, opts, stdout, stderr)
	}
	return harness.Status("gallery", err, stderr)
}

// serve runs the MCP server, over stdio or HTTP, until ctx or stdin ends.
func (p program) serve(ctx context.Context, opts options, stderr io.Writer) error {
	// Logs go to stderr: stdout belongs to the protocol.
	g, err := p.newGallery(opts.date, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	defer g.close()
	return opts.Serve(ctx, g.Server, harness.HTTPOptions{Program: "gallery", Stderr: stderr, Longest: p.limit})
}

// runScenarios runs the scenarios, each on a server of its own.
func runScenarios(ctx context.Context, scenarios []scenario, opts options, stdout, stderr io.Writer) error {
	log, closeLog, err := opts.output.OpenLog("gallery", stderr)
	if err != nil {
		return err
	}
	defer func() { _ = closeLog() }()
	today := opts.date()
	print := &transcript{Transcript: opts.output.Transcript(stdout, harness.NewPen(stdout))}
	policy := retry.Policy{
		BaseDelay: 100 * time.Millisecond, // the services are on this machine
		Logger:    slog.New(slog.DiscardHandler), OnDecision: print.decided,
	}
	connect := func(ctx context.Context) (retry.ClientSession, error) {
		command, err := harness.Self(ctx, log, "-serve", "-today", today.Format(time.DateOnly))
		if err != nil {
			return nil, err
		}
		return harness.Connect(ctx, "gallery-agent", &mcp.CommandTransport{Command: command}, print.Sending)
	}
	var wrong []error
	for i, s := range scenarios {
		print.begin(i+1, s)
		a := &agent{
			client: &retry.Client{Connect: connect, Policy: policy, Safety: retry.SafetyOf}, print: print,
			today: today,
		}
		if s.plain {
			a.client = &retry.Client{Connect: connect, Policy: policy}
		}
		err := s.run(ctx, a)
		_ = a.client.Close()
		if ctx.Err() != nil {
			return harness.ErrInterrupted
		}
		if err != nil {
			err = fmt.Errorf("scenario %s: %w", s.name, err)
			wrong = append(wrong, err)
		}
		if err := print.end(err); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}
