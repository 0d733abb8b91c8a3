// Grade checks how an MCP server fails: it calls the server's tools in every way
// that can go wrong and does no harm, and says what an agent could not act on.
// The server may be written in any language.
//
//	go run ./examples/grade -- npx -y @modelcontextprotocol/server-everything
//	go run ./examples/grade -url http://127.0.0.1:8080/mcp
//
// It calls only tools that are annotated as read-only, unless it is told to. The
// check itself is package resulttest, which does the same in a Go test.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

func main() { harness.Main(run) }

// The exit statuses.
const (
	statusGood     = 0 // no finding
	statusFindings = 1
	statusUsage    = 2
	statusFailed   = 3 // the server could not be checked
)

// run is main with its surroundings as arguments. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	if err != nil {
		return harness.UsageStatus("grade", err, stderr)
	}
	g, err := grade(ctx, opts, stderr)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "grade: %v\n", err)
		return statusFailed
	}
	if opts.asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(g)
	} else {
		err = g.print(stdout)
	}
	switch {
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "grade: cannot write the report: %v\n", err)
		return statusFailed
	case len(g.Findings) > 0:
		return statusFindings
	}
	return statusGood
}

// A graded is what -json prints.
type graded struct {
	Server  string `json:"server"`
	Overall int    `json:"overall"` // percent
	resulttest.Report
}

// grade connects to the server and checks it.
func grade(ctx context.Context, opts options, stderr io.Writer) (*graded, error) {
	s := &server{opts: opts}
	defer s.stop()
	if opts.url == "" {
		_, _ = fmt.Fprintf(stderr, "grade: starting %s\n", opts.command[0])
	}
	session, err := s.connect(ctx)
	if err != nil {
		return nil, s.explain(ctx, fmt.Errorf("cannot connect to the server: %w", err))
	}
	g := &graded{Server: "the server"}
	if init := session.InitializeResult(); init != nil && init.ServerInfo != nil {
		g.Server = printable(init.ServerInfo.Name + " " + init.ServerInfo.Version)
	}
	report, err := resulttest.Check(ctx, session, &resulttest.Options{
		Tools: opts.tools, All: opts.all, Skip: opts.skip, Timeout: opts.timeout, Connect: s.connect,
		Progress: func(tool string, done, total int) {
			_, _ = fmt.Fprintf(stderr, "grade: %d of %d, %s\n", done+1, total, printable(tool))
		},
	})
	if err != nil {
		return nil, s.explain(ctx, err)
	}
	g.Report = *report
	g.Overall = overall(report.Scores)
	if called(report) == 0 {
		return nil, fmt.Errorf("none of the %d tools was called: none is annotated as read-only, and none was allowed by -tool or -all", len(report.Tools))
	}
	return g, nil
}

func called(report *resulttest.Report) int {
	n := 0
	for _, t := range report.Tools {
		n += t.Calls
	}
	return n
}

// overall is the mean of the areas that an answer was about.
func overall(scores []resulttest.Score) int {
	sum, n := 0, 0
	for _, s := range scores {
		if s.Total > 0 {
			sum += s.Percent()
			n++
		}
	}
	return sum / max(n, 1)
}
