package harness

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
)

// ParseFlags parses a command line. Each error is one sentence. For -help, it prints the synopsis
// and the flags to stdout, and returns [flag.ErrHelp].
func ParseFlags(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	flags.SetOutput(io.Discard) // package flag prints several lines for an error
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, synopsis)
		flags.PrintDefaults()
	}
	return err
}

// ParseFlagsOnly is [ParseFlags] for a program that takes no arguments besides its flags.
func ParseFlagsOnly(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	err := ParseFlags(flags, args, synopsis, stdout)
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return err
}

// URL returns a function for [flag.FlagSet.Func] that stores an HTTP or HTTPS URL in *to. The error
// for any other value shows the example.
func URL(to *string, example string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return errors.New("want a URL, such as " + example)
		}
		*to = value
		return nil
	}
}
