// Durable makes an agent's tool calls on engines that outlive the agent's process: Temporal, in its
// test environment or on a server, and River on a PostgreSQL server that the program starts, if one
// is installed (Debian's package postgresql).
//
//	go run .
//	temporal server start-dev
//	go run . -address 127.0.0.1:7233
//
// Package retry decides; the engine waits and keeps the state. Both engines, in temporal.go and
// river.go, use step.go.
//
//	next step                   River                         Temporal
//
//	retry, after a short delay  an error, and NextRetry       an error, and its NextRetryDelay
//	retry, after a long one     the job snoozes               the same, and benign
//	look, then retry            the next run looks first      the same
//	escalate a refusal          the job is canceled          a benign, non-retryable error
//	all other failures          canceled, with an alarm      a non-retryable error
//	code and message            the column of errors, or      type and message of the error
//	                            the output while it snoozes
//	codes not to repeat         in the job's arguments        NonRetryableErrorTypes
//	progress, several orders    the job's output              the details of the heartbeat
//	idempotency key             the job's id, the order       the workflow's id, the order
//	a worker that was killed    a run that left no record     a timeout
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"time"

	"go.temporal.io/sdk/worker"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
)

func main() {
	dsn := flag.String("database", "", "be a worker of the queue at this `URL`")
	address := flag.String("address", "", "use the Temporal server at this `HOST:PORT`; with -desk, be a worker of it")
	desk := flag.String("desk", "", "the `URL` of the tools, for a worker")
	flag.Parse()
	if err := start(context.Background(), *dsn, *address, *desk); err != nil {
		log.Fatal(err)
	}
}

func start(ctx context.Context, dsn, address, desk string) error {
	switch {
	case dsn != "":
		return work(ctx, dsn, desk)
	case desk != "":
		c, err := dial(ctx, address)
		if err != nil {
			return err
		}
		defer c.Close()
		return newTemporal(c, desk).Run(worker.InterruptCh())
	}
	return runAll(ctx, os.Stdout, address)
}

// runAll runs the scenarios on Temporal, and then on River if PostgreSQL is installed. If address
// is empty, Temporal runs in its test environment.
func runAll(ctx context.Context, w io.Writer, address string) error {
	d := openDesk(plan())
	defer d.stop()
	title, engine := "Temporal, in its test environment", func(s scenario) (string, time.Duration, error) {
		return runTestEnvironment(d, s, slog.DiscardHandler)
	}
	if address != "" {
		c, err := dial(ctx, address)
		if err != nil {
			return err
		}
		defer c.Close()
		caller := newTemporal(c, d.url)
		if err := caller.Start(); err != nil {
			return err
		}
		defer caller.Stop()
		title, engine = "Temporal, on a server",
			func(s scenario) (string, time.Duration, error) { return runServer(ctx, c, s) }
	}
	if err := transcribe(w, title, d, engine); err != nil {
		return err
	}
	p, err := openDatabase(ctx)
	if errors.Is(err, database.ErrMissing) {
		_, err = fmt.Fprintln(w, "River is left out:", err)
		return err
	}
	if err != nil {
		return err
	}
	defer p.stop()
	d = openDesk(plan())
	defer d.stop()
	return transcribe(w, "River, on PostgreSQL", d, func(s scenario) (string, time.Duration, error) {
		return runRiver(ctx, p, d, s, slog.DiscardHandler)
	})
}

// transcribe runs the scenarios on an engine, and prints how each ended.
func transcribe(w io.Writer, title string, d *desk, engine func(scenario) (string, time.Duration, error)) error {
	if _, err := fmt.Fprintln(w, title); err != nil {
		return err
	}
	for _, s := range scenarios {
		text, waited, err := engine(s)
		if err != nil {
			return err
		}
		booked, called := d.counts(s.call.Orders)
		_, err = fmt.Fprintf(w, "  %s\n    %s\n    calls: %d, effects: %d, minutes waited: %.0f\n", s.title, text, called,
			booked, waited.Minutes())
		if err != nil {
			return err
		}
	}
	return nil
}

// runRiver puts a scenario's call into the queue, and works on it until it ends.
func runRiver(ctx context.Context, p *queue, d *desk, s scenario, logs slog.Handler) (string, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client, err := newRiver(p.pool, d.url, logs)
	if err != nil {
		return "", 0, err
	}
	if err := client.Start(ctx); err != nil {
		return "", 0, err
	}
	defer func() { _ = client.Stop(ctx) }()
	job, err := client.Insert(ctx, s.call, nil)
	if err != nil {
		return "", 0, err
	}
	return finished(ctx, client, job.Job.ID)
}
