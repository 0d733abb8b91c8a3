package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Kind implements river.JobArgs.
func (call) Kind() string { return "call" }

// A caller makes the calls that are in the queue.
type caller struct {
	river.WorkerDefaults[call]

	desk string
}

// Work runs a call once. It postpones the job by snoozing. A business refusal raises no alarm:
// River does not call its error handler for jobs that Work cancels.
func (w *caller) Work(ctx context.Context, job *river.Job[call]) error {
	kept, number := keptOf(job.JobRow)
	r := run{call: job.Args, desk: w.desk, id: fmt.Sprintf("river-%d", job.ID), number: number, began: job.CreatedAt}
	r.save = func(p progress) {
		// else the next run asks for the answers again
		_, _ = river.ClientFromContext[pgx.Tx](ctx).JobUpdate(ctx, job.ID, &river.JobUpdateParams{Output: p})
	}
	s, p := r.advance(ctx, kept)
	if err := river.RecordOutput(ctx, p); err != nil || s.Err == nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err() // the worker stops, and River may not count the run; or its time is up
	}
	failed := fmt.Errorf("%s: %w", codeOf(s.Err), s.Err) // for River's column of errors
	switch {
	case s.postponed():
		return river.JobSnooze(s.Wait)
	case s.Again && !s.Never:
		job.Args.wait = max(s.Wait, time.Millisecond)
		return failed
	case s.benign():
		return river.JobCancel(failed)
	}
	return &givenUpError{failed}
}

// NextRetry implements river.Worker: it returns the time that Work has chosen.
func (w *caller) NextRetry(job *river.Job[call]) time.Time {
	if job.Args.wait == 0 {
		return time.Time{} // the time of River's policy, after a panic
	}
	return time.Now().Add(job.Args.wait)
}

// A givenUpError is the error of a call that is not repeated.
type givenUpError struct{ error }

// Unwrap returns the error.
func (g *givenUpError) Unwrap() error { return g.error }

// alarms tells the operators about panics and about calls that were given up. River does not call
// it for jobs that Work snoozes or cancels.
type alarms struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler.
func (a alarms) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	if _, ok := errors.AsType[*givenUpError](err); !ok {
		return nil // it is repeated
	}
	a.log.ErrorContext(ctx, "a call was given up", "job", job.ID, "error", toolerr.From(err))
	return &river.ErrorHandlerResult{SetCancelled: true}
}

// HandlePanic implements river.ErrorHandler.
func (a alarms) HandlePanic(
	ctx context.Context, job *rivertype.JobRow, panicked any, _ string,
) *river.ErrorHandlerResult {
	a.log.ErrorContext(ctx, "a call has panicked", "job", job.ID, "panic", panicked)
	return nil
}

// keptOf returns what a job has kept, and how many runs have begun: River does not count the runs
// that ended in a snooze.
func keptOf(job *rivertype.JobRow) (kept progress, runs int) {
	var metadata struct {
		Output  progress `json:"output"`
		Snoozes int      `json:"snoozes"`
	}
	_ = json.Unmarshal(job.Metadata, &metadata) // a job without output has kept nothing
	return metadata.Output, job.Attempt + metadata.Snoozes
}

// runTime limits a run; after rescueTime, the job of a silent worker is given to another. The run
// ends before that, so that a lookup finds what it has done.
const (
	runTime    = 2 * time.Second
	rescueTime = 3 * time.Second
)

// newRiver returns a client for the queue. If desk is not empty, the client also runs jobs.
func newRiver(pool *pgxpool.Pool, desk string, logs slog.Handler) (*river.Client[pgx.Tx], error) {
	config := &river.Config{
		Logger: slog.New(slog.DiscardHandler), ErrorHandler: alarms{slog.New(logs)},
		JobTimeout: runTime, RescueStuckJobsAfter: rescueTime,
	}
	if desk != "" {
		workers := river.NewWorkers()
		river.AddWorker(workers, &caller{desk: desk})
		config.Workers, config.Queues = workers, map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}}
		config.FetchPollInterval = 200 * time.Millisecond
	}
	return river.NewClient(riverpgxv5.New(pool), config)
}

// A queue is a temporary PostgreSQL server with River's tables.
type queue struct {
	*database.Server

	pool *pgxpool.Pool
}

func openDatabase(ctx context.Context) (*queue, error) {
	server, err := database.PostgreSQL(ctx, "fsync=off")
	if err != nil {
		return nil, err
	}
	d := &queue{Server: server}
	var migrator *rivermigrate.Migrator[pgx.Tx]
	if d.pool, err = pgxpool.New(ctx, database.PostgreSQLURL(server.Addr)); err == nil {
		migrator, err = rivermigrate.New(riverpgxv5.New(d.pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	}
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err != nil {
		server.Stop()
		return nil, err
	}
	return d, nil
}

func (d *queue) stop() {
	d.pool.Close()
	d.Stop()
}

// work runs a worker process until its context ends.
func work(ctx context.Context, dsn, desk string) error {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	client, err := newRiver(pool, desk, slog.NewTextHandler(os.Stderr, nil))
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	<-client.Stopped()
	return nil
}

// finished waits until a job ends, and returns the report and how long the job waited. It skips
// long snoozes: it runs the job at once, as an operator can.
func finished(
	ctx context.Context, client *river.Client[pgx.Tx], id int64,
) (text string, waited time.Duration, err error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		job, err := client.JobGet(ctx, id)
		if err != nil {
			return "", 0, err
		}
		switch job.State {
		case rivertype.JobStateCompleted, rivertype.JobStateCancelled, rivertype.JobStateDiscarded:
			var c call
			if err := json.Unmarshal(job.EncodedArgs, &c); err != nil {
				return "", 0, err
			}
			kept, _ := keptOf(job)
			if job.State != rivertype.JobStateCompleted {
				kept.Failed = cmp.Or(kept.Failed, toolerr.Internal(nil)) // no run has ended
			}
			return report(c, kept.Answers, kept.Failed), waited, nil
		case rivertype.JobStateScheduled:
			if wait := time.Until(job.ScheduledAt); wait > patience {
				if _, err := client.JobRetry(ctx, id); err != nil {
					return "", 0, err
				}
				waited += wait
			}
		case rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning:
		}
		select {
		case <-ctx.Done():
			return "", 0, fmt.Errorf("job %d is %s: %w", id, job.State, ctx.Err())
		case <-tick.C:
		}
	}
}
