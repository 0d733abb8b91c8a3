package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

const taskQueue = "calls"

// workflowID returns the id of a call's workflow, which its keys are derived from.
func workflowID(c call) string { return c.Tool + "-" + strings.Join(c.Orders, "-") }

// runTestEnvironment runs a scenario's workflow in Temporal's test environment, whose clock
// skips the waits. It returns the report and how long the workflow waited.
func runTestEnvironment(
	d *desk, s scenario, logs slog.Handler, change ...func(*testsuite.TestWorkflowEnvironment, *activities),
) (string, time.Duration, error) {
	suite := new(testsuite.WorkflowTestSuite)
	suite.SetLogger(log.NewStructuredLogger(slog.New(logs)))
	env := suite.NewTestWorkflowEnvironment()
	a := &activities{desk: d.url}
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: workflowID(s.call)})
	env.RegisterWorkflow(callWorkflow)
	env.RegisterActivity(a)
	for _, f := range change {
		f(env, a)
	}
	began := env.Now()
	env.ExecuteWorkflow(callWorkflow, s.call)
	waited := env.Now().Sub(began)
	var answers []string
	err := env.GetWorkflowError()
	if err == nil {
		if err := env.GetWorkflowResult(&answers); err != nil {
			return "", 0, err
		}
	}
	return report(s.call, answers, envelopeOf(err)), waited, nil
}

// dial connects to a Temporal server, such as one started by "temporal server start-dev".
func dial(ctx context.Context, address string) (client.Client, error) {
	return client.DialContext(ctx,
		client.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))})
}

// newTemporal returns a worker whose activity calls a desk.
func newTemporal(c client.Client, desk string) worker.Worker {
	w := worker.New(c, taskQueue, worker.Options{
		MaxHeartbeatThrottleInterval: 100 * time.Millisecond,
		StickyScheduleToStartTimeout: time.Second, // then another worker takes over its workflows
	})
	w.RegisterWorkflow(callWorkflow)
	w.RegisterActivity(&activities{desk: desk})
	return w
}

// runServer runs a scenario's workflow on a Temporal server. It skips long waits: it runs the
// activity at once, as an operator can.
func runServer(ctx context.Context, c client.Client, s scenario) (string, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	started, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: workflowID(s.call), TaskQueue: taskQueue},
		callWorkflow, s.call)
	if err != nil {
		return "", 0, err
	}
	waited, err := skipWaits(ctx, c, started)
	if err != nil {
		return "", 0, err
	}
	var answers []string
	err = started.Get(ctx, &answers)
	return report(s.call, answers, envelopeOf(err)), waited, nil
}

// skipWaits skips a workflow's long waits until it ends, and returns their sum.
func skipWaits(ctx context.Context, c client.Client, started client.WorkflowRun) (waited time.Duration, err error) {
	execution := &commonpb.WorkflowExecution{WorkflowId: started.GetID(), RunId: started.GetRunID()}
	for {
		described, err := c.DescribeWorkflowExecution(ctx, execution.WorkflowId, execution.RunId)
		if err != nil || described.WorkflowExecutionInfo.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
			return waited, err
		}
		for _, pending := range described.PendingActivities {
			wait := time.Until(pending.NextAttemptScheduleTime.AsTime())
			if pending.State != enums.PENDING_ACTIVITY_STATE_SCHEDULED || wait <= patience {
				continue
			}
			_, paused := c.WorkflowService().PauseActivity(ctx, &workflowservice.PauseActivityRequest{
				Namespace: client.DefaultNamespace, Execution: execution,
				Activity: &workflowservice.PauseActivityRequest_Id{Id: pending.ActivityId},
			})
			_, resumed := c.WorkflowService().UnpauseActivity(ctx, &workflowservice.UnpauseActivityRequest{
				Namespace: client.DefaultNamespace, Execution: execution,
				Activity: &workflowservice.UnpauseActivityRequest_Id{Id: pending.ActivityId},
			})
			if err := errors.Join(paused, resumed); err != nil {
				return waited, err
			}
			waited += wait
		}
		select {
		case <-ctx.Done():
			return waited, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
