package main

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

	output harness.Output
	today  time.Time // zero: the clock's
}

const synopsis = `Usage: gallery [-json | -wire] [-log FILE] [-today DATE]
       gallery -serve     [-today DATE]
       gallery -http ADDR [-today DATE]`

// parseFlags parses the command line. Each error is one sentence. For -help, it prints the help to
// stdout and returns [flag.ErrHelp].
func parseFlags(args []string, stdout io.Writer) (options, error) {
	var opts options
	flags := flag.NewFlagSet("gallery", flag.ContinueOnError)
	opts.output.AddJSON(flags, "scenario")
	opts.output.AddFlags(flags)
	flags.Func("today", "take `DATE`, such as 2025-07-25, for today (default: the clock's date, UTC)", opts.setToday)

	err := opts.ParseFlags(flags, args, synopsis, stdout)
	if err == nil {
		err = opts.output.Check(flags, opts.By())
	}
	return opts, err
}

func (o *options) setToday(value string) error {
	date, err := time.Parse(time.DateOnly, value)
	if err != nil || date.Year() < 2 || date.Year() > 9998 { // trips are up to a year off
		return errors.New("want a date as YYYY-MM-DD, such as 2025-07-25")
	}
	o.today = date
	return nil
}

// date returns today's date, at midnight UTC.
func (o *options) date() time.Time {
	if !o.today.IsZero() {
		return o.today
	}
	return time.Now().UTC().Truncate(24 * time.Hour)
}
