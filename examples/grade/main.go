// Grade checks how an MCP server fails: it calls the server's tools with valid and with wrong
// arguments, and reports answers that an agent cannot act on. The server may be written in any
// language.
//
//	go install github.com/mcp-toolerr/toolerr-go/examples/grade@latest
//	grade -- npx -y @modelcontextprotocol/server-everything
//	grade -o report.html -url http://127.0.0.1:8080/mcp
//
// It calls only tools that are annotated as read-only, unless -tool, -config or -all allows others.
// resulttest.TestServer runs the same check in a Go test.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

func main() { harness.Main(run) }

// The exit statuses.
const (
	statusGood     = 0 // no new findings, or with -min a sufficient score and no new error
	statusFindings = 1 // new findings, or with -min an insufficient score or a new error
	statusUsage    = 2 // a wrong command line
	statusFailed   = 3 // the server could not be checked, no tool was called, or no report was written
)

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	if err != nil {
		return harness.UsageStatus("grade", err, stderr)
	}
	if opts.version {
		_, _ = fmt.Fprintf(stdout, "grade %s (%s %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return statusGood
	}
	g := &graded{Server: "the server", Grade: version(), Source: opts.source}
	failure := g.check(ctx, opts, stderr)
	if failure != nil {
		first, _, _ := strings.Cut(failure.Error(), "\n") // the server's log stays out of the report
		g.Error = redact.Mask(first)
	}
	g.Time = time.Now().UTC().Truncate(time.Second)
	if err := errors.Join(failure, opts.report(g, stdout, stderr)); err != nil {
		_, _ = fmt.Fprintf(stderr, "grade: %v\n", err)
		return statusFailed
	}
	if g.fails(opts) {
		return statusFindings
	}
	return statusGood
}

// version returns the module version that the go command recorded in the binary.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// check connects to the server and checks it. After an error, g holds the findings so far.
func (g *graded) check(ctx context.Context, opts options, stderr io.Writer) error {
	g.setReport(&servertest.Report{
		Findings: []servertest.Finding{}, Tools: []servertest.ToolReport{},
		Failures: map[servertest.Tier]int{},
	})
	p := newProgress(stderr)
	defer p.clear()
	s := &server{opts: opts}
	defer s.stop()
	p.show("connecting")
	session, err := s.connect(ctx)
	if err != nil {
		return s.explain(ctx, fmt.Errorf("cannot connect to the server: %w", err))
	}
	if init := session.InitializeResult(); init != nil && init.ServerInfo != nil {
		g.Server = cut(strings.TrimSpace(printable(init.ServerInfo.Name+" "+init.ServerInfo.Version)), 80)
	}
	report, err := servertest.Check(ctx, session, &servertest.Options{
		Tools: opts.tools, All: opts.all, Skip: opts.skip, Timeout: opts.timeout, Connect: s.connect, Cases: opts.cases,
		Allow: opts.allow,
		Progress: func(tool string, done, total int) {
			p.show(fmt.Sprintf("tool %d of %d, %s", done+1, total, name(tool)))
		},
	})
	g.setReport(report)
	if err != nil {
		return s.explain(ctx, err)
	}
	if len(g.Calls) == 0 {
		return fmt.Errorf("none of the %d tools was called: none that is annotated as read-only is left; allow tools by "+
			"-tool or -all", len(report.Tools))
	}
	return nil
}
