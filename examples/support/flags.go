package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"
)

// options are the command line.
type options struct {
	stdio            bool   // -serve
	addr             string // -http
	asJSON           bool
	orders, payments string // base URLs, or both empty
	faults           *plan
	timeout          time.Duration
}

const synopsis = `Usage: support [-json]
       support -serve     [-fault TOOL=KIND[:COUNT]]... [-timeout T] [-orders URL -payments URL]
       support -http ADDR [-fault TOOL=KIND[:COUNT]]... [-timeout T] [-orders URL -payments URL]`

// parseFlags reads the command line. Its errors are one sentence each. After
// -help, which goes to stdout, the error is [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{faults: new(plan)}
	flags := flag.NewFlagSet("support", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of our own instead
	flags.BoolVar(&opts.asJSON, "json", false, "print one JSON object per scenario")
	flags.BoolVar(&opts.stdio, "serve", false, "be the MCP server, on stdin and stdout")
	flags.Func("http", "be the MCP server, over streamable HTTP on `ADDR`, such as 127.0.0.1:8080\n"+
		"(without a host it is 127.0.0.1, with port 0 any free one), at /mcp;\n"+
		"beyond loopback it is open to all who can reach it, and to DNS rebinding", opts.setAddr)
	flags.Func("fault", "make the first COUNT calls of a tool fail, or all of them: `TOOL=KIND[:COUNT]`,\n"+
		"TOOL is "+toolNames()+",\nKIND is "+kindNames()+";\n"+
		"several for the same tool follow one another", opts.faults.add)
	flags.Func("orders", "the order service's `URL`; without it the server starts its own services",
		func(value string) error { return setURL(&opts.orders, value) })
	flags.Func("payments", "the payment gateway's `URL`",
		func(value string) error { return setURL(&opts.payments, value) })
	flags.DurationVar(&opts.timeout, "timeout", upstreamTimeout, "how long a tool waits for a service behind it")

	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, synopsis)
		flags.PrintDefaults()
	}
	if err != nil {
		return opts, err
	}
	server := opts.stdio || opts.addr != ""
	switch {
	case flags.NArg() > 0:
		return opts, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case opts.stdio && opts.addr != "":
		return opts, errors.New("-serve and -http do not go together")
	case server && opts.asJSON:
		return opts, errors.New("-json does not go with -serve or -http")
	case opts.timeout <= 0:
		return opts, errors.New("-timeout wants a time such as 400ms")
	case !server && opts.timeout != upstreamTimeout:
		return opts, errors.New("-timeout goes with -serve or -http")
	case !server && (opts.orders != "" || opts.payments != "" || !opts.faults.empty()):
		return opts, errors.New("-orders, -payments and -fault go with -serve or -http")
	case (opts.orders == "") != (opts.payments == ""):
		return opts, errors.New("-orders URL and -payments URL go together")
	case opts.orders != "" && opts.faults.needServices():
		return opts, errors.New("with -orders and -payments the only KIND of -fault is panic, because the others are up to the services")
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

func setURL(to *string, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("want a URL, such as http://127.0.0.1:8080")
	}
	*to = value
	return nil
}
