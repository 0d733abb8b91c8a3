// Grading compares what examples/grade and mcp-assert report about the same seven servers: five
// fail in misleading ways, and one is built with this module. It needs Node.
//
//	cd examples/compare
//	go run ./grading
//
// The program starts itself as each of the servers. mcp-assert, which npx gets from the npm
// registry, audits and fuzzes each. The Python programs mcp-fuzz, mcp-fuzzer, mcp-scanner and
// mcp-doctor get a column each if they are in PATH; the program prints how to install the others.
// The table and the versions are in result/servertest/findings.md, section "Beside other checkers".
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// other is the npm package to compare with, and its version.
const other = "@blackwell-systems/mcp-assert@0.12.3"

func main() {
	harness.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		flags := flag.NewFlagSet("grading", flag.ContinueOnError)
		serve := flags.String("serve", "", "be the server of this `KIND`, on stdin and stdout")
		if err := harness.ParseFlagsOnly(flags, args, "Usage: grading", stdout); err != nil {
			return harness.UsageStatus("grading", err, stderr)
		}
		if *serve != "" {
			if err := newServer(*serve).Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
				return 1
			}
			return 0
		}
		if err := compare(ctx, stdout, stderr); err != nil {
			_, _ = fmt.Fprintf(stderr, "grading: %v\n", err)
			return 1
		}
		return 0
	})
}

// compare prints a row for each server.
func compare(ctx context.Context, stdout, stderr io.Writer) error {
	others, advice := installed()
	if advice != "" {
		_, _ = fmt.Fprintln(stderr, advice)
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "server\tgrade\tfindings\tmcp-assert audit\tmcp-assert fuzz")
	for _, p := range others {
		_, _ = fmt.Fprintf(table, "\t%s", p.name)
	}
	_, _ = fmt.Fprintln(table)
	for _, kind := range kinds {
		report, err := graded(ctx, kind.name)
		if err != nil {
			return err
		}
		audit, fuzz, err := asserted(ctx, kind.name)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(table, "%s\t%s %d\t%s\t%s\t%s", kind.what, report.Tier, report.Score,
			strings.Join(found(report), ", "), audit, fuzz)
		for _, p := range others {
			says, err := p.check(ctx, kind.name)
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintf(table, "\t%s", cmp.Or(says, "nothing"))
		}
		_, _ = fmt.Fprintln(table)
	}
	return table.Flush()
}

// graded checks a server, as examples/grade -all does.
func graded(ctx context.Context, kind string) (*servertest.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	connect := func(ctx context.Context) (*mcp.ClientSession, error) {
		client := mcp.NewClient(&mcp.Implementation{Name: "grading", Version: "v1"}, nil)
		return client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(program, "-serve", kind)}, nil)
	}
	session, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	return servertest.Check(ctx, session, &servertest.Options{All: true, Connect: connect})
}

// found returns the distinct kinds of the findings.
func found(report *servertest.Report) []string {
	var names []string
	for _, f := range report.Findings {
		names = append(names, string(f.Kind))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var (
	score  = regexp.MustCompile(`\d+%`)
	passed = regexp.MustCompile(`\d+ runs, .*`)
)

// asserted returns what mcp-assert reports: its audit's score, and how many fuzzed calls passed.
func asserted(ctx context.Context, kind string) (audit, fuzz string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	run := func(pattern *regexp.Regexp, args ...string) (string, error) {
		args = append([]string{"-y", other}, append(args, "--server", program+" -serve "+kind)...)
		out, failed := exec.CommandContext(ctx, "npx", args...).CombinedOutput() // it fails if it finds something
		says := pattern.Find(out)
		if says == nil {
			return "", fmt.Errorf("npx %s: %w: %s", strings.Join(args, " "), failed, out)
		}
		return string(says), nil
	}
	if audit, err = run(score, "audit", "--include-writes"); err != nil {
		return "", "", err
	}
	fuzz, err = run(passed, "fuzz", "--runs", "30")
	return audit, fuzz, err
}
