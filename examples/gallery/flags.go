package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"time"
)

// options are the command line.
type options struct {
	stdio  bool   // -serve
	addr   string // -http
	asJSON bool
	today  time.Time // zero: the clock's
}

const synopsis = `Usage: gallery [-json]     [-today DATE]
       gallery -serve     [-today DATE]
       gallery -http ADDR [-today DATE]`

// parseFlags reads the command line. Its errors are one sentence each. After
// -help, which goes to stdout, the error is [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	var opts options
	flags := flag.NewFlagSet("gallery", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of our own instead
	flags.BoolVar(&opts.asJSON, "json", false, "print one JSON object per scenario")
	flags.BoolVar(&opts.stdio, "serve", false, "be the MCP server, on stdin and stdout")
	flags.Func("http", "be the MCP server, over streamable HTTP on `ADDR`, such as 127.0.0.1:8080\n"+
		"(without a host it is 127.0.0.1, with port 0 any free one), at /mcp;\n"+
		"beyond loopback it is open to all who can reach it, and to DNS rebinding", opts.setAddr)
	flags.Func("today", "take `DATE`, such as 2025-07-25, for today (default: the clock's date, UTC)", opts.setToday)

	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, synopsis)
		flags.PrintDefaults()
	}
	switch {
	case err != nil:
		return opts, err
	case flags.NArg() > 0:
		return opts, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case opts.stdio && opts.addr != "":
		return opts, errors.New("-serve and -http do not go together")
	case opts.asJSON && (opts.stdio || opts.addr != ""):
		return opts, errors.New("-json does not go with -serve or -http")
	}
	return opts, nil
}

// setAddr is -http. A server that asks nobody who they are is for this machine,
// unless its user says otherwise.
func (o *options) setAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return errors.New("want HOST:PORT, such as 127.0.0.1:8080")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	o.addr = net.JoinHostPort(host, port)
	return nil
}

func (o *options) setToday(value string) error {
	date, err := time.Parse(time.DateOnly, value)
	if err != nil || date.Year() < 2 || date.Year() > 9998 { // trips are up to a year off
		return errors.New("want a date as YYYY-MM-DD, such as 2025-07-25")
	}
	o.today = date
	return nil
}

// date is today's date, at midnight UTC.
func (o *options) date() time.Time {
	if !o.today.IsZero() {
		return o.today
	}
	return time.Now().UTC().Truncate(24 * time.Hour)
}
