package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// activities provides the activity that the workflow uses.
type activities struct{ desk string }

// Call runs a call once. The engine counts the runs of all workers, and passes on the details of
// the last heartbeat.
func (a *activities) Call(ctx context.Context, c call) ([]string, error) {
	var p progress
	if activity.HasHeartbeatDetails(ctx) {
		if err := activity.GetHeartbeatDetails(ctx, &p); err != nil {
			return nil, err
		}
	}
	info := activity.GetInfo(ctx)
	work, cancel := context.WithDeadline(ctx, info.Deadline.Add(-time.Second)) // before the engine starts the next run
	defer cancel()
	saved, ended := make(chan progress), make(chan step, 1)
	r := run{call: c, desk: a.desk, id: info.WorkflowExecution.ID, number: int(info.Attempt), began: info.ScheduledTime}
	r.save = func(p progress) { saved <- p }
	var last progress
	go func() {
		var s step
		s, last = r.advance(work, p)
		ended <- s
	}()
	tick := time.NewTicker(cmp.Or(info.HeartbeatTimeout, time.Minute) / 3)
	defer tick.Stop()
	for {
		select {
		case p = <-saved:
		case <-tick.C: // a call takes its time, and the worker is alive
		case s := <-ended:
			if s.Err == nil {
				return last.Answers, nil
			}
			activity.RecordHeartbeat(ctx, last)
			if work.Err() != nil {
				return nil, work.Err() // the worker stops, or its time is up
			}
			return nil, failureOf(s)
		}
		activity.RecordHeartbeat(ctx, p)
	}
}

// failureOf returns the error that tells the engine what to do. The error's type is the failure's
// code, and its details are the envelope.
func failureOf(s step) error {
	options := temporal.ApplicationErrorOptions{
		NonRetryable: !s.Again, NextRetryDelay: max(s.Wait, time.Millisecond), // 0 is the workflow's delay
		Details: []any{s.Err},
	}
	if s.benign() {
		options.Category = temporal.ApplicationErrorCategoryBenign
	}
	return temporal.NewApplicationErrorWithOptions(s.Err.Error(), codeOf(s.Err), options)
}

// maxRuns is the maximum number of runs of a call, including postponed and killed ones. River
// limits only killed and failed runs, to 25.
const maxRuns = 1000

// callWorkflow makes a call, so that its work is done once for each order. With keys, a heartbeat
// timeout reveals a lost worker early. Without keys, only the run's time limit does, because the
// next run looks only after this one has ended.
func callWorkflow(ctx workflow.Context, c call) (answers []string, err error) {
	options := workflow.ActivityOptions{
		StartToCloseTimeout: rescueTime,
		RetryPolicy:         &temporal.RetryPolicy{MaximumAttempts: maxRuns, NonRetryableErrorTypes: c.Never},
	}
	if c.keyed() {
		options.StartToCloseTimeout, options.HeartbeatTimeout = time.Hour, time.Second
	}
	ctx = workflow.WithActivityOptions(ctx, options)
	var a *activities
	err = workflow.ExecuteActivity(ctx, a.Call, c).Get(ctx, &answers)
	if failed, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		return nil, failed // unwrapped: inside the activity's error it is not benign
	}
	return answers, err
}

// envelopeOf returns the failure that a workflow ended with, or nil if err is nil.
func envelopeOf(err error) *toolerr.Error {
	failed, ok := errors.AsType[*temporal.ApplicationError](err)
	if e := new(toolerr.Error); ok && failed.HasDetails() && failed.Details(e) == nil {
		return e
	}
	return toolerr.From(err)
}
