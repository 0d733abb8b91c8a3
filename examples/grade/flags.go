package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// options are the command line.
type options struct {
	command     []string // or url
	url         string
	header      http.Header
	asJSON      bool
	all         bool
	tools, skip []string
	timeout     time.Duration
}

const synopsis = `Usage: grade [flags] -- COMMAND [ARGUMENT...]
       grade [flags] -url URL

Checks how an MCP server fails. Only tools that are annotated as read-only are
called, unless -tool or -all says otherwise.
`

const scoring = `
The score of an area is the share of the answers that were right in it; a tool
without annotations counts as one wrong answer:
  answers     every call is answered with a result: the server neither dies nor
              stalls, and throws no protocol error
  structure   every failure is JSON with a category, a retryability and a
              message, and all tools name them alike
  guidance    every failure has a hint that says what to do next, and every tool
              says whether a repeat is safe: by annotations, or by taking a key
  secrecy     no failure shows stack traces, paths, hosts or secrets
  emptiness   data, nothing and failures are told apart, empty lists are []
  validation  what the input schema forbids is refused
The overall score is the mean of those that an answer was about.

The exit status is 0 without findings, 1 with findings, 2 for a wrong command
line, 3 where the server could not be checked. Under "go run" it is 1 for all
but 0: build the program to tell them apart.
`

// parseFlags reads the command line. Its errors are one sentence each. After
// -help, which goes to stdout, the error is [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{header: http.Header{}}
	flags := flag.NewFlagSet("grade", flag.ContinueOnError)
	flags.Func("url", "check the server at this `URL`, over streamable HTTP", harness.URL(&opts.url, "http://127.0.0.1:8080/mcp"))
	flags.Func("header", "send `NAME:VALUE` with every request to -url; may be repeated", opts.setHeader)
	flags.BoolVar(&opts.asJSON, "json", false, "print the report as JSON")
	flags.BoolVar(&opts.all, "all", false, "call all tools, also those that change something:\nonly where nobody needs the data")
	flags.Func("tool", "call the tool `NAME`, although it is not annotated as read-only; may be repeated", appendTo(&opts.tools))
	flags.Func("skip", "do not call the tool `NAME`; may be repeated", appendTo(&opts.skip))
	flags.DurationVar(&opts.timeout, "timeout", 15*time.Second, "how long each call may take")

	err := harness.ParseFlags(flags, args, synopsis, stdout)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprint(stdout, scoring)
	}
	if err != nil {
		return opts, err
	}
	opts.command = flags.Args()
	switch {
	case opts.url == "" && len(opts.command) == 0:
		return opts, errors.New("want the server's command after --, or -url URL")
	case opts.url != "" && len(opts.command) > 0:
		return opts, errors.New("-url and a command do not go together")
	case opts.url == "" && len(opts.header) > 0:
		return opts, errors.New("-header goes with -url")
	case opts.timeout <= 0:
		return opts, fmt.Errorf("-timeout wants more than 0, got %v", opts.timeout)
	}
	return opts, nil
}

func (o *options) setHeader(value string) error {
	name, text, ok := strings.Cut(value, ":")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(text, "\r\n") {
		return errors.New("want NAME:VALUE, such as Authorization:Bearer")
	}
	o.header.Add(name, strings.TrimSpace(text))
	return nil
}

func appendTo(list *[]string) func(string) error {
	return func(name string) error {
		if name == "" {
			return errors.New("want the name of a tool")
		}
		*list = append(*list, name)
		return nil
	}
}
