package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// options holds the parsed command line.
type options struct {
	command      []string // or url
	url          string
	header       http.Header
	all, version bool
	tools, skip  []string
	timeout      time.Duration
	format       *format  // nil: by each output's name
	outputs      []string // "-" is stdout
	source       string
	min          *int // a score; if nil, any finding fails
	allow        []servertest.Kind
	known        []servertest.Finding // of the baseline
	cases        []servertest.Case
}

const synopsis = `Usage: grade [flags] -- COMMAND [ARGUMENT...]
       grade [flags] -url URL

Checks how an MCP server fails. It calls only tools that are annotated as read-only,
unless -tool, -config or -all allows others.
`

const statuses = `
The exit status is
  0  without new findings; with -min, if the score is not below it and no new finding
     is an error that -allow does not name
  1  otherwise
  2  if the command line is wrong
  3  if the server could not be checked, no tool was called, or the report could not
     be written; all formats except text then contain the error and the findings so far
"go run" exits with 1 instead of 2 and 3: build the program to distinguish them.
`

// parseFlags parses the command line. Each error is one sentence. For -help, it prints the help to
// stdout and returns [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{header: http.Header{}}
	flags := flag.NewFlagSet("grade", flag.ContinueOnError)
	flags.Func("url", "check the server at this `URL`, over streamable HTTP",
		harness.URL(&opts.url, "http://127.0.0.1:8080/mcp"))
	flags.Func("header", "send `NAME:VALUE` with every request to a URL; may be repeated", opts.setHeader)
	flags.Func("format", "write the report as `FORMAT`: "+formatNames()+
		";\nby default by the file name's extension, and text on stdout", opts.setFormat)
	flags.Func("o", "write the report to `FILE`, - for stdout; may be repeated", appendTo(&opts.outputs, "a file"))
	flags.Func("min", "exit with 0 if the score is at least `SCORE`, even with findings that are warnings", opts.setMin)
	flags.Func("allow", "with -min, do not fail because of the error `KIND`, such as credential; may be repeated",
		opts.setAllow)
	flags.Func("baseline", "fail only because of findings that `FILE` does not have, a report in the format json",
		opts.setBaseline)
	flags.Func("config", "make the example calls in `FILE`, and vary them: "+
		"{\"tools\":{\"NAME\":[{...arguments...}]}};\na tool in it may be called although it is not annotated as read-only",
		opts.setConfig)
	flags.StringVar(&opts.source, "source", "README.md",
		"the `FILE` of the server's repository to which SARIF assigns findings")
	flags.BoolVar(&opts.version, "version", false, "print the version of this program")
	flags.BoolVar(&opts.all, "all", false, "call all tools, including those that change data:\nuse it only with data "+
		"that nobody needs")
	flags.Func("tool", "call the tool `NAME`, although it is not annotated as read-only; may be repeated",
		appendTo(&opts.tools, "the name of a tool"))
	flags.Func("skip", "do not call the tool `NAME`; may be repeated", appendTo(&opts.skip, "the name of a tool"))
	flags.DurationVar(&opts.timeout, "timeout", 15*time.Second, "how long each call may take")

	err := harness.ParseFlags(flags, args, synopsis, stdout)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprint(stdout, scoring()+statuses)
	}
	if err != nil {
		return opts, err
	}
	opts.command = flags.Args()
	if len(opts.outputs) == 0 {
		opts.outputs = []string{"-"}
	}
	switch {
	case opts.version:
		return opts, nil
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
	if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\r\n") ||
		strings.ContainsAny(text, "\r\n") {
		return errors.New("want NAME:VALUE, such as Authorization:Bearer")
	}
	o.header.Add(name, strings.TrimSpace(text))
	return nil
}

func (o *options) setAllow(kind string) error {
	if !slices.Contains([]servertest.Kind{
		servertest.KindServerDied, servertest.KindNoAnswer, servertest.KindFailureAsSuccess, servertest.KindKeyIgnored,
		servertest.KindCredential,
	}, servertest.Kind(kind)) {
		return errors.New("want a kind of finding that is an error: server_died, no_answer, failure_as_success, " +
			"key_ignored or credential")
	}
	o.allow = append(o.allow, servertest.Kind(kind))
	return nil
}

func (o *options) setBaseline(name string) error {
	var report struct {
		Findings *[]servertest.Finding `json:"findings"`
	}
	raw, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(raw, &report)
	}
	if err != nil || report.Findings == nil {
		return errors.New("want a report that was written with -format json")
	}
	o.known = *report.Findings
	return nil
}

func (o *options) setConfig(name string) error {
	var config struct {
		Tools map[string][]map[string]any `json:"tools"`
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return errors.New("the file cannot be read")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if decoder.Decode(&config) != nil || len(config.Tools) == 0 {
		return errors.New(`want {"tools":{"NAME":[{...arguments...}]}}`)
	}
	for _, tool := range slices.Sorted(maps.Keys(config.Tools)) {
		o.tools = append(o.tools, tool)
		for _, arguments := range config.Tools[tool] {
			o.cases = append(o.cases, servertest.Case{Name: "as in the configuration", Tool: tool, Arguments: arguments})
		}
	}
	return nil
}

func (o *options) setMin(value string) error {
	percent, err := strconv.Atoi(value)
	if err != nil || percent < 0 || percent > 100 {
		return errors.New("want a number from 0 to 100")
	}
	o.min = &percent
	return nil
}

func appendTo(list *[]string, what string) func(string) error {
	return func(name string) error {
		if name == "" {
			return errors.New("want " + what)
		}
		*list = append(*list, name)
		return nil
	}
}
