package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The types of the errors that an activity ends with.
const (
	typeRetry  = "retry"  // again, after NextRetryDelay
	typeVerify = "verify" // the workflow looks first
	typeFinal  = "final"  // with the envelope as details
)

// activities are the two that the workflow uses.
type activities struct{ desk string }

// Attempt makes one attempt. The engine counts the attempts of all workers; the
// workflow's id is the idempotency key.
func (a *activities) Attempt(ctx context.Context, c call) (string, error) {
	info := activity.GetInfo(ctx)
	s := attempt(ctx, a.desk, c, c.Made+int(info.Attempt), info.ScheduledTime)
	switch {
	case s.Wait > 0:
		return "", temporal.NewApplicationErrorWithOptions("the call will be repeated", typeRetry, temporal.ApplicationErrorOptions{NextRetryDelay: s.Wait})
	case s.Verify:
		return "", temporal.NewNonRetryableApplicationError("nobody knows whether the call has taken effect", typeVerify, nil)
	case s.Err != nil:
		return "", temporal.NewNonRetryableApplicationError(s.Err.Error(), typeFinal, nil, envelope(s.Err))
	}
	return s.Text, nil
}

// Verify looks up whether the call has taken effect. It is safe to repeat.
func (a *activities) Verify(ctx context.Context, c call) (string, error) {
	return verify(ctx, a.desk, c)
}

// maxRounds bounds how often the workflow makes a call without a key. Chosen: as many
// attempts as a policy makes.
const maxRounds = 3

// callWorkflow makes a call that is done once. With a key, the engine repeats it,
// also after a lost worker, which it sees as a timeout. Without a key it is attempted
// once; before another attempt the workflow looks up whether it has taken effect.
func callWorkflow(ctx workflow.Context, c call) (text string, err error) {
	var a *activities
	attempts := &temporal.RetryPolicy{MaximumAttempts: 1}
	if c.Tool == "process_refund" {
		c.Key = workflow.GetInfo(ctx).WorkflowExecution.ID
		attempts = &temporal.RetryPolicy{InitialInterval: 50 * time.Millisecond}
	}
	calls := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 10 * time.Second, RetryPolicy: attempts})
	looks := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 10 * time.Second})
	for ; c.Made < maxRounds; c.Made++ {
		err = workflow.ExecuteActivity(calls, a.Attempt, c).Get(calls, &text)
		var failed *temporal.ApplicationError
		var late *temporal.TimeoutError
		switch {
		case err == nil || c.Key != "":
			return text, err
		case errors.As(err, &failed) && failed.Type() == typeRetry:
			if err := workflow.Sleep(ctx, failed.NextRetryDelay()); err != nil {
				return "", err
			}
		case errors.As(err, &failed) && failed.Type() == typeVerify, errors.As(err, &late):
			if err := workflow.ExecuteActivity(looks, a.Verify, c).Get(looks, &text); err != nil || text != "" {
				return text, err
			}
		default:
			return "", err
		}
	}
	return "", err
}

// failureOf returns the failure that a workflow has ended with, or nil.
func failureOf(err error) *toolerr.Error {
	var failed *temporal.ApplicationError
	if err == nil {
		return nil
	}
	var raw json.RawMessage
	e := new(toolerr.Error)
	if errors.As(err, &failed) && failed.HasDetails() && failed.Details(&raw) == nil && json.Unmarshal(raw, e) == nil {
		return e
	}
	return toolerr.From(err)
}
