// Durable makes an agent's tool calls on engines that outlive its process: Temporal, in its
// test environment, and River on a PostgreSQL server that the program starts, if one is
// installed (Debian's package postgresql).
//
//	go run .
//
// Package retry decides; the engine waits and keeps the state. step.go is what both
// share, temporal.go and river.go are the engines.
//
//	next step                   River                       Temporal
//
//	retry, after a delay        the job snoozes             NextRetryDelay of the activity
//	fix, escalate, propagate    the job is cancelled        a non-retryable error
//	verify                      the next run looks first    an activity that looks
//	attempt                     runs and snoozes            the activity's attempt
//	idempotency key             the job's id                the workflow's id
//	a worker that was killed    a run that left no record   a timeout
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

func main() {
	database := flag.String("database", "", "be a worker of the queue at this `URL`")
	address := flag.String("desk", "", "the `URL` of the tools, for a worker")
	flag.Parse()
	var err error
	if *database != "" {
		err = work(context.Background(), *database, *address)
	} else {
		err = run(context.Background(), os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run runs the scenarios on both engines.
func run(ctx context.Context, w io.Writer) error {
	if _, err := fmt.Fprintln(w, "Temporal, in its test environment"); err != nil {
		return err
	}
	if err := runAll(w, runTemporal0); err != nil {
		return err
	}
	p, err := startPostgres(ctx)
	if errors.Is(err, errNoPostgres) {
		_, err = fmt.Fprintln(w, "River is left out:", err)
		return err
	}
	if err != nil {
		return err
	}
	defer p.stop()
	if _, err := fmt.Fprintln(w, "River, on PostgreSQL"); err != nil {
		return err
	}
	return runAll(w, func(d *desk, s scenario) (string, error) { return runRiver(ctx, p, d, s) })
}

func runTemporal0(d *desk, s scenario) (string, error) { return runTemporal(d, s) }

// runAll runs the scenarios on an engine, and prints how each ended.
func runAll(w io.Writer, engine func(*desk, scenario) (string, error)) error {
	d := openDesk(plan())
	defer d.stop()
	for _, s := range scenarios {
		text, err := engine(d, s)
		if err != nil {
			return err
		}
		booked, called := d.counts(s.call.Order)
		if _, err := fmt.Fprintf(w, "  %s\n    %s\n    calls: %d, effects: %d\n", s.title, text, called, booked); err != nil {
			return err
		}
	}
	return nil
}

// runRiver puts a scenario's call into the queue and works on it until it has ended.
func runRiver(ctx context.Context, p *postgres, d *desk, s scenario) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client, err := newRiver(p.pool, d.url)
	if err != nil {
		return "", err
	}
	if err := client.Start(ctx); err != nil {
		return "", err
	}
	defer func() { _ = client.Stop(ctx) }()
	job, err := client.Insert(ctx, s.call, nil)
	if err != nil {
		return "", err
	}
	return finished(ctx, client, job.Job.ID)
}
