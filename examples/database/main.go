// Database shows a tool that reads a database, and what it returns if the row does not exist, or if
// the database is locked, slow or unreadable.
//
//	cd examples/database
//	go run .
//
// For each situation, the program creates a real SQLite file, brings the situation about, starts
// itself as the MCP server and calls get_customer over stdio. The tool is in server.go, its errors
// are in failure.go, and situations.go shows how each situation is made.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() { harness.Main(run) }

// run runs the program without global state. It returns the exit status: 0 for success, even if a
// server was interrupted; 1 if a situation did not end as expected or the program failed; 2 for bad
// flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("database", flag.ContinueOnError)
	asServer := flags.Bool("serve", false, "be the MCP server, on stdin and stdout")
	path := flags.String("db", "", "with -serve: the SQLite file")
	uid := flags.Int("uid", 0, "with -serve: give up root and be this user; 0 changes nothing")
	var output harness.Output
	output.AddFlags(flags)
	err := harness.ParseFlagsOnly(flags, args, "Usage: database [-wire] [-log FILE], or database -serve -db PATH [-uid N]",
		stdout)
	if err == nil && *asServer {
		err = output.Check(flags, "-serve")
	}
	switch {
	case err != nil:
	case *asServer && *path == "":
		err = errors.New("-serve needs -db PATH")
	case !*asServer && (*path != "" || *uid != 0):
		err = errors.New("-db and -uid go with -serve")
	case *uid < 0:
		err = fmt.Errorf("-uid wants a user id, got %d", *uid)
	}
	switch {
	case err != nil:
		return harness.UsageStatus("database", err, stderr)
	case *asServer:
		err = serve(ctx, *path, *uid, stderr)
	default:
		err = playAll(ctx, situations, output, stdout, stderr)
	}
	return harness.Status("database", err, stderr)
}

// serve runs the server until its client disconnects or ctx ends.
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
	return harness.ServeStdio(ctx, newServer(db, path, logger))
}
