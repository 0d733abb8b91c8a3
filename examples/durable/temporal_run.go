package main

import (
	"io"
	"log/slog"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
)

// runTemporal runs a scenario's workflow in Temporal's test environment, whose clock skips
// the waits, and returns the report.
func runTemporal(d *desk, s scenario, change ...func(*testsuite.TestWorkflowEnvironment, *activities)) (string, error) {
	suite := new(testsuite.WorkflowTestSuite)
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	env := suite.NewTestWorkflowEnvironment()
	a := &activities{desk: d.url}
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: s.call.Tool + "-" + s.call.Order}) // the key
	env.RegisterWorkflow(callWorkflow)
	env.RegisterActivity(a)
	for _, f := range change {
		f(env, a)
	}
	env.ExecuteWorkflow(callWorkflow, s.call)
	var text string
	err := env.GetWorkflowError()
	if err == nil {
		if err := env.GetWorkflowResult(&text); err != nil {
			return "", err
		}
	}
	return report(s.call, text, failureOf(err)), nil
}
