package desk

import (
	"errors"
	"flag"
	"io"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// options holds the parsed command line.
type options struct {
	harness.Serving

	output           harness.Output
	orders, payments string // base URLs, or both empty
	faults           *plan
	timeout          time.Duration
	store            string // the name of a database, or ""
}

const synopsis = `Usage: support [-json | -wire] [-log FILE]
       support -serve     [-fault TOOL=KIND[:COUNT]]... [-timeout T] [-orders URL -payments URL] [-store NAME]
       support -http ADDR [-fault TOOL=KIND[:COUNT]]... [-timeout T] [-orders URL -payments URL] [-store NAME]`

// parseFlags parses the command line. Each error is one sentence. For -help, it prints the help to
// stdout and returns [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{faults: new(plan)}
	flags := flag.NewFlagSet("support", flag.ContinueOnError)
	opts.output.AddJSON(flags, "scenario")
	opts.output.AddFlags(flags)
	flags.Func("fault", "make the first COUNT calls of a tool fail, or all of them: `TOOL=KIND[:COUNT]`,\n"+
		"TOOL is "+toolNames()+",\nKIND is "+kindNames()+";\n"+
		"several for the same tool follow one another", opts.faults.add)
	flags.Func("orders", "the order service's `URL`; without it the server starts its own services",
		harness.URL(&opts.orders, "http://127.0.0.1:8080"))
	flags.Func("payments", "the payment gateway's `URL`", harness.URL(&opts.payments, "http://127.0.0.1:8080"))
	flags.DurationVar(&opts.timeout, "timeout", upstreamTimeout, "how long a tool waits for a service behind it")
	flags.StringVar(&opts.store, "store", "",
		"keep the idempotency keys in the database `NAME`, postgres://USER@HOST/DB or the name of a\n"+
			"file for SQLite, which several servers may share; without it they are in the server's memory")

	err := opts.ParseFlags(flags, args, synopsis, stdout)
	if err == nil {
		err = opts.output.Check(flags, opts.By())
	}
	server := opts.By() != ""
	switch {
	case err != nil:
		return opts, err
	case opts.timeout <= 0:
		return opts, errors.New("-timeout wants a time such as 400ms")
	case !server && opts.timeout != upstreamTimeout:
		return opts, errors.New("-timeout goes with -serve or -http")
	case !server && opts.store != "":
		return opts, errors.New("-store goes with -serve or -http")
	case !server && (opts.orders != "" || opts.payments != "" || !opts.faults.empty()):
		return opts, errors.New("-orders, -payments and -fault go with -serve or -http")
	case (opts.orders == "") != (opts.payments == ""):
		return opts, errors.New("-orders URL and -payments URL go together")
	case opts.orders != "" && opts.faults.needServices():
		return opts, errors.New("with -orders and -payments the only KIND of -fault is panic, because the others are up to " +
			"the services")
	}
	return opts, nil
}
