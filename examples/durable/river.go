package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Kind implements river.JobArgs.
func (call) Kind() string { return "call" }

// A record is the state that a job keeps of its runs, as its output.
type record struct {
	// Runs is how many runs have ended. A run that is not among them was killed.
	Runs int `json:"runs"`
	// Attempts is how many of them have had an answer from the tool. River itself bounds
	// the runs that are killed.
	Attempts int `json:"attempts"`
	// Verify says that the next run looks first.
	Verify bool            `json:"verify,omitempty"`
	Text   string          `json:"text,omitempty"`
	Failed json.RawMessage `json:"failed,omitempty"`
}

// A worker carries out calls from the queue.
type worker struct {
	river.WorkerDefaults[call]

	desk string
}

// Work makes one attempt. It waits by snoozing and gives up by cancelling. The job's
// id is the idempotency key.
func (w *worker) Work(ctx context.Context, job *river.Job[call]) error {
	c, kept, runs := job.Args, recordOf(job.JobRow), runsOf(job.JobRow)
	if c.Tool == "process_refund" {
		c.Key = fmt.Sprintf("river-%d", job.ID)
	}
	killed := runs > kept.Runs+1
	kept.Runs = runs
	if c.Key == "" && (kept.Verify || killed) {
		text, err := verify(ctx, w.desk, c)
		if err != nil {
			return err // which River repeats: to look is safe
		}
		if kept.Verify = false; text != "" {
			kept.Text = text
			return river.RecordOutput(ctx, kept)
		}
	}
	kept.Attempts++
	s := attempt(ctx, w.desk, c, kept.Attempts, job.CreatedAt)
	kept.Text, kept.Verify = s.Text, s.Verify
	if s.Err != nil {
		kept.Failed = envelope(s.Err)
	}
	if err := river.RecordOutput(ctx, kept); err != nil {
		return err
	}
	switch {
	case s.Wait > 0:
		return river.JobSnooze(s.Wait)
	case s.Verify:
		return river.JobSnooze(0)
	case s.Err != nil:
		return river.JobCancel(s.Err)
	}
	return nil
}

// recordOf returns what a job has kept.
func recordOf(job *rivertype.JobRow) record {
	var metadata struct {
		Output record `json:"output"`
	}
	_ = json.Unmarshal(job.Metadata, &metadata) // a job without output has kept nothing
	return metadata.Output
}

// runsOf returns how many runs a job has begun: River does not count those that snooze.
func runsOf(job *rivertype.JobRow) int {
	var metadata struct {
		Snoozes int `json:"snoozes"`
	}
	_ = json.Unmarshal(job.Metadata, &metadata)
	return job.Attempt + metadata.Snoozes
}

// The times after which a job is taken from a silent worker. A run has ended long
// before, so a look-up finds what it has done.
const (
	runTime    = 2 * time.Second
	rescueTime = 3 * time.Second
)

// newRiver returns a client of the queue. If desk is given, it also works on jobs.
func newRiver(pool *pgxpool.Pool, desk string) (*river.Client[pgx.Tx], error) {
	config := &river.Config{Logger: slog.New(slog.DiscardHandler), JobTimeout: runTime, RescueStuckJobsAfter: rescueTime}
	if desk != "" {
		workers := river.NewWorkers()
		river.AddWorker(workers, &worker{desk: desk})
		config.Workers, config.Queues = workers, map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}}
		config.FetchPollInterval = 200 * time.Millisecond
	}
	return river.NewClient(riverpgxv5.New(pool), config)
}

// migrate makes River's tables.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	return err
}

// work is a worker process: it works until its context ends.
func work(ctx context.Context, database, desk string) error {
	pool, err := pgxpool.New(ctx, database)
	if err != nil {
		return err
	}
	defer pool.Close()
	client, err := newRiver(pool, desk)
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	<-client.Stopped()
	return nil
}

// finished waits for a job to end, and returns the report.
func finished(ctx context.Context, client *river.Client[pgx.Tx], id int64) (string, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		job, err := client.JobGet(ctx, id)
		if err != nil {
			return "", err
		}
		switch job.State {
		case rivertype.JobStateCompleted, rivertype.JobStateCancelled, rivertype.JobStateDiscarded:
			var c call
			if err := json.Unmarshal(job.EncodedArgs, &c); err != nil {
				return "", err
			}
			kept := recordOf(job)
			var failed *toolerr.Error
			if kept.Failed != nil {
				failed = new(toolerr.Error)
				if err := json.Unmarshal(kept.Failed, failed); err != nil {
					return "", err
				}
			}
			return report(c, kept.Text, failed), nil
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("job %d is %s: %w", id, job.State, ctx.Err())
		case <-tick.C:
		}
	}
}
