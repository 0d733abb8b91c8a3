// Package harness is what the example programs share: the life of a program, its
// command line, a server over stdio or HTTP, the program again as a child process,
// and the transcript of what is called. What an example shows, its tools, agents
// and scenarios, is in the example itself.
package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// ErrInterrupted is the error of a program that is interrupted at its work.
var ErrInterrupted = errors.New("interrupted")

// Main runs a program and exits with the status that run returns. The context ends
// with the first interrupt, SIGTERM or SIGHUP, so that the program can tidy up; the
// second one ends the program at once. Writing to a stdout that nobody reads any
// more is an error, and does not end the program.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	signals := append(hangup(), os.Interrupt, syscall.SIGTERM)
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Status returns the exit status of a program that ended with err: 0 for nil,
// otherwise 1. The error goes to stderr, as one line.
func Status(program string, err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s: %s\n", program, strings.ReplaceAll(err.Error(), "\n", "; "))
	return 1
}

// UsageStatus returns the exit status of a program whose command line was not
// accepted: 0 for [flag.ErrHelp], since help was asked for, otherwise 2. The error
// goes to stderr.
func UsageStatus(program string, err error, stderr io.Writer) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s: %v; run with -help to see the flags\n", program, err)
	return 2
}
