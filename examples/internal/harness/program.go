// Package harness holds what the example programs share: signals and exit status, the command line,
// serving over stdio or HTTP, starting the program again as a child process, and the transcript.
// The examples themselves contain the tools, agents and scenarios.
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

// ErrInterrupted is the error that a program ends with if it was interrupted.
var ErrInterrupted = errors.New("interrupted")

// Main runs a program and exits with the status that run returns. The first interrupt, SIGTERM or
// SIGHUP ends the context, so that the program can clean up; the second ends the program at once.
// Writing to a stdout that nobody reads returns an error, but does not end the program.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	signals := append(hangup(), os.Interrupt, syscall.SIGTERM)
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// RunTranscript runs a program that only prints a transcript and whose only flag is -wire. It
// returns the exit status for [Main].
func RunTranscript(
	ctx context.Context, program string, args []string, stdout, stderr io.Writer,
	show func(context.Context, *Transcript) error,
) int {
	var output Output
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	output.AddWire(flags)
	if err := ParseFlagsOnly(flags, args, "Usage: "+program+" [-wire]", stdout); err != nil {
		return UsageStatus(program, err, stderr)
	}
	print := output.Transcript(stdout, NewPen(stdout))
	err := show(ctx, print)
	if ctx.Err() != nil {
		err = ErrInterrupted
	}
	return Status(program, errors.Join(err, print.Err()), stderr)
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

// UsageStatus returns the exit status of a program whose command line was rejected: 0 for
// [flag.ErrHelp], because help was requested, otherwise 2. The error goes to stderr.
func UsageStatus(program string, err error, stderr io.Writer) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s: %v; run with -help to see the flags\n", program, err)
	return 2
}
