// Database is a tool that reads a database, and what comes back when the
// database has no such row, is locked, is slow, or may not be read.
//
//	cd examples/database
//	go run .
//
// The program makes a real SQLite file for each situation, brings the situation
// about, starts itself as the MCP server and calls get_customer over stdio. Read
// on in server.go for the tool, in failure.go for what becomes of its errors,
// and in situations.go for how each one is brought about.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. It returns the exit status: 0
// where every situation ended as it should, 1 where one did not or the program
// failed, 2 for bad flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("database", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of our own instead
	asServer := flags.Bool("serve", false, "be the MCP server, on stdin and stdout")
	path := flags.String("db", "", "with -serve: the SQLite file")
	uid := flags.Int("uid", 0, "with -serve: give up root and be this user; 0 changes nothing")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "Usage: database, or database -serve -db PATH [-uid N]")
		flags.PrintDefaults()
		return 0
	case err != nil:
		return usage(stderr, err.Error())
	case flags.NArg() > 0:
		return usage(stderr, fmt.Sprintf("unexpected argument %q", flags.Arg(0)))
	case *asServer && *path == "":
		return usage(stderr, "-serve needs -db PATH")
	case !*asServer && (*path != "" || *uid != 0):
		return usage(stderr, "-db and -uid go with -serve")
	case *uid < 0:
		return usage(stderr, fmt.Sprintf("-uid wants a user id, got %d", *uid))
	}
	if *asServer {
		err = serve(ctx, *path, *uid, stderr)
	} else {
		err = playAll(ctx, situations, stdout, stderr)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "database: %v\n", err)
		return 1
	}
	return 0
}

func usage(stderr io.Writer, what string) int {
	_, _ = fmt.Fprintf(stderr, "database: %s; run with -help to see the flags\n", what)
	return 2
}

// serve is the server's whole life.
func serve(ctx context.Context, path string, uid int, stderr io.Writer) error {
	if uid != 0 {
		if err := becomeUser(uid); err != nil {
			return fmt.Errorf("cannot become user %d: %w", uid, err)
		}
	}
	db, err := openReader(path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	// Logs go to stderr: stdout belongs to the protocol.
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	return newServer(db, path, logger).Run(ctx, &mcp.StdioTransport{})
}
