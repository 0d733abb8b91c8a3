package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// options are the command line.
type options struct {
	agent    string
	attempts int
	asJSON   bool
}

// agents are the subagents, in the order of the transcript.
var agents = []string{"papers", "rfcs", "archive"}

const (
	// defaultAttempts is how often a subagent asks its source before it hands the
	// failure up.
	defaultAttempts = 3
	maxAttempts     = 6 // more would take longer than anybody watches
)

const synopsis = `Usage: research [-json] [-attempts N]
       research -agent NAME [-attempts N]`

// parseFlags reads the command line. Its errors are one sentence each. After
// -help, which goes to stdout, the error is [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{attempts: defaultAttempts}
	flags := flag.NewFlagSet("research", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of our own instead
	flags.BoolVar(&opts.asJSON, "json", false, "print one JSON object per subagent, and one for the report")
	flags.StringVar(&opts.agent, "agent", "", "be the subagent `NAME`, an MCP server on stdin and stdout;\nNAME is "+strings.Join(agents, ", "))
	flags.IntVar(&opts.attempts, "attempts", opts.attempts, fmt.Sprintf("a subagent asks its source at most `N` times, 1 to %d;\n"+
		"with fewer than 3 one of them does not recover, and the run fails", maxAttempts))

	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, synopsis)
		flags.PrintDefaults()
	}
	if err != nil {
		return opts, err
	}
	named := false
	flags.Visit(func(f *flag.Flag) { named = named || f.Name == "agent" })
	switch {
	case flags.NArg() > 0:
		return opts, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case named && !slices.Contains(agents, opts.agent):
		return opts, fmt.Errorf("no subagent is called %q, NAME is one of %s", opts.agent, strings.Join(agents, ", "))
	case named && opts.asJSON:
		return opts, errors.New("-json does not go with -agent")
	case opts.attempts < 1 || opts.attempts > maxAttempts:
		return opts, fmt.Errorf("-attempts is a number from 1 to %d", maxAttempts)
	}
	return opts, nil
}
