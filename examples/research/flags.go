package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// options holds the parsed command line.
type options struct {
	agent    string
	attempts int
	output   harness.Output
}

// agents lists the subagents in the order of the transcript.
var agents = []string{"papers", "rfcs", "archive"}

const (
	// defaultAttempts is how often a subagent asks its source before it passes on the failure.
	defaultAttempts = 3
	maxAttempts     = 6 // more would take longer than anybody watches
)

const synopsis = `Usage: research [-json | -wire] [-log FILE] [-attempts N]
       research -agent NAME [-attempts N]`

// parseFlags parses the command line. Each error is one sentence. For -help, it prints the help to
// stdout and returns [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{attempts: defaultAttempts}
	flags := flag.NewFlagSet("research", flag.ContinueOnError)
	opts.output.AddJSON(flags, "subagent, and one for the report")
	opts.output.AddFlags(flags)
	flags.Func("agent", "be the subagent `NAME`, an MCP server on stdin and stdout;\nNAME is "+strings.Join(agents, ", "),
		opts.setAgent)
	flags.IntVar(&opts.attempts, "attempts", opts.attempts,
		fmt.Sprintf("a subagent asks its source at most `N` times, 1 to %d;\n"+
			"with fewer than 3 one of them does not recover, and the run fails", maxAttempts))

	err := harness.ParseFlagsOnly(flags, args, synopsis, stdout)
	if err == nil {
		server := ""
		if opts.agent != "" {
			server = "-agent"
		}
		err = opts.output.Check(flags, server)
	}
	switch {
	case err != nil:
	case opts.attempts < 1 || opts.attempts > maxAttempts:
		err = fmt.Errorf("-attempts is a number from 1 to %d", maxAttempts)
	}
	return opts, err
}

func (o *options) setAgent(name string) error {
	if !slices.Contains(agents, name) {
		return errors.New("no subagent has that name, NAME is one of " + strings.Join(agents, ", "))
	}
	o.agent = name
	return nil
}
