package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

var cli = flag.String("temporal", "", "run also on a server that this `program` starts: Temporal's command line")

// alarmsOf returns a handler that writes only errors to a buffer.
func alarmsOf(logs *bytes.Buffer) slog.Handler {
	return slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelError})
}

// check compares what became of a scenario with what should.
func check(t *testing.T, d *desk, s scenario, text string, waited time.Duration) {
	t.Helper()
	booked, called := d.counts(s.call.Orders)
	assert.Equal(t, s.booked, booked, "how often it was done")
	assert.Equal(t, s.called, called, "how often it was called")
	minutes := 0
	for _, order := range s.call.Orders {
		once, _ := d.counts([]string{order})
		assert.LessOrEqual(t, once, 1, order)
		if s.ends == "" {
			assert.Contains(t, text, `{"done":["`+order+`"]}`)
		}
		for _, f := range s.faults[order] {
			if f == closed {
				minutes += 10
			}
		}
	}
	assert.Contains(t, text, s.ends)
	assert.InDelta(t, minutes, waited.Minutes(), 0.5, "minutes waited")
}

func TestTemporal(t *testing.T) {
	t.Parallel()
	d := openDesk(plan())
	t.Cleanup(d.stop)
	for _, s := range scenarios {
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			text, waited, err := runTestEnvironment(d, s, slog.DiscardHandler)
			require.NoError(t, err)
			check(t, d, s, text, waited)
		})
	}
}

// The type of an error is the code. What needs no operator is benign, and logged as no error:
// a business refusal, and a long wait.
func TestTemporal_Errors(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{
		"REFUSED": {refuse}, "CLOSED": {closed}, "LETTER": {closed}, "LISTED": {closed},
		"GIVEN-UP": {busy, busy, busy},
	})
	t.Cleanup(d.stop)
	for order, want := range map[string]struct {
		call     call
		code     string // empty if the workflow succeeds
		category temporal.ApplicationErrorCategory
		errors   int
	}{
		"REFUSED": {refund("REFUSED"), "limit_exceeded", temporal.ApplicationErrorCategoryBenign, 0},
		"CLOSED":  {refund("CLOSED"), "", 0, 0},
		"LETTER":  {letter("LETTER"), "", 0, 0},
		"LISTED": {
			call{"process_refund", []string{"LISTED"}, []string{"rate_limited"}, 0},
			"rate_limited",
			temporal.ApplicationErrorCategoryUnspecified, 1,
		},
		"GIVEN-UP": {refund("GIVEN-UP"), "rate_limited", temporal.ApplicationErrorCategoryUnspecified, 3},
	} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			var logs bytes.Buffer
			var env *testsuite.TestWorkflowEnvironment
			_, _, err := runTestEnvironment(d, scenario{call: want.call}, alarmsOf(&logs),
				func(e *testsuite.TestWorkflowEnvironment, _ *activities) { env = e })
			require.NoError(t, err)
			assert.Equal(t, want.errors, strings.Count(logs.String(), "level=ERROR"), logs.String())
			if want.code == "" {
				require.NoError(t, env.GetWorkflowError())
				return
			}
			var failed *temporal.ApplicationError
			require.ErrorAs(t, env.GetWorkflowError(), &failed)
			assert.NotErrorAs(t, env.GetWorkflowError(), new(*temporal.ActivityError), "with which the workflow is not benign")
			assert.Equal(t, want.code, failed.Type())
			assert.Equal(t, want.category, failed.Category())
		})
	}
}

// A call is postponed until it has waited as long as the policy allows.
func TestAdvance_WaitTooLong(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{"ORD-1": {closed, closed}})
	t.Cleanup(d.stop)
	r := run{call: refund("ORD-1"), desk: d.url, number: 1}
	s, p := r.advance(t.Context(), progress{Waited: policy.MaxWait - 15*time.Minute})
	assert.True(t, s.postponed())
	r.number++
	s, p = r.advance(t.Context(), p)
	assert.False(t, s.Again)
	assert.Equal(t, 2, p.Failed.Attempted[0].Attempts)
}

// Nothing was kept of a run that was killed: the next one looks for each order.
func TestAdvance_NothingKept(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{})
	t.Cleanup(d.stop)
	r := run{call: letter("ORD-1", "ORD-2"), desk: d.url, number: 1}
	_, _ = r.advance(t.Context(), progress{})
	r.number++
	_, p := r.advance(t.Context(), progress{})
	check(t, d, scenario{call: r.call, booked: 2, called: 2}, report(r.call, p.Answers, p.Failed), 0)
}

// loseFirst loses the first worker in the middle of the call, which goes on without it.
// Temporal's test environment reports that as the timeout that it is to the engine.
func loseFirst(env *testsuite.TestWorkflowEnvironment, a *activities) {
	first := true
	env.OnActivity(a.Call, mock.Anything, mock.Anything).Return(func(ctx context.Context, c call) ([]string, error) {
		if !first {
			return a.Call(ctx, c)
		}
		first = false
		r := run{call: c, desk: a.desk, id: workflowID(c), number: 1}
		_, _ = r.advance(context.WithoutCancel(ctx), progress{}) // and nobody learns of it
		return nil, temporal.NewTimeoutError(enums.TIMEOUT_TYPE_START_TO_CLOSE, nil)
	})
}

// A worker that is lost in the middle of a call is a timeout to the engine.
func TestTemporal_LostWorker(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{})
	t.Cleanup(d.stop)
	for _, s := range []scenario{
		{"with a key", refund("ORD-1"), nil, 1, 1, ""}, // the repeat gets the first answer
		{"without", letter("ORD-2"), nil, 1, 1, ""},
	} {
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			text, waited, err := runTestEnvironment(d, s, slog.DiscardHandler, loseFirst)
			require.NoError(t, err)
			check(t, d, s, text, waited)
		})
	}
}

// Connections are cut, or refused.
func TestTemporal_LostDesk(t *testing.T) {
	t.Parallel()
	d := openDesk(map[string][]fault{"ORD-1": {cut}, "ORD-2": {cut}})
	for _, s := range []scenario{
		{"with a key", refund("ORD-1"), nil, 1, 1, ""},
		{"without", letter("ORD-2"), nil, 1, 1, ""},
		{"closed", letter("ORD-3"), nil, 0, 0, "unavailable after 3 attempts, effect none"},
	} {
		if s.title == "closed" {
			d.stop()
		}
		text, waited, err := runTestEnvironment(d, s, slog.DiscardHandler)
		require.NoError(t, err, s.title)
		check(t, d, s, text, waited)
	}
}

// startServer starts a Temporal server, and returns its address and a client.
func startServer(t *testing.T) (string, client.Client) {
	t.Helper()
	if *cli == "" {
		// It is a program of another project, which .ci/weekly installs.
		t.Skip("without -temporal PROGRAM")
	}
	server, err := testsuite.StartDevServer(t.Context(), testsuite.DevServerOptions{
		ExistingPath: *cli, LogLevel: "error", Stdout: io.Discard,
		ClientOptions: &client.Options{Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	return server.FrontendHostPort(), server.Client()
}

func TestTemporal_Server(t *testing.T) {
	t.Parallel()
	_, c := startServer(t)
	faults := plan()
	faults["ORD-0"] = []fault{busy, busy}
	d := openDesk(faults)
	t.Cleanup(d.stop)
	worker := newTemporal(c, d.url)
	require.NoError(t, worker.Start())
	t.Cleanup(worker.Stop)

	// The history shows code and message of the attempt before the last one.
	_, _, err := runServer(t.Context(), c, scenario{call: refund("ORD-0")})
	require.NoError(t, err)
	last := lastFailureOf(t, c, refund("ORD-0"))
	assert.Equal(t, "rate_limited", last.GetApplicationFailureInfo().GetType())
	assert.Equal(t, "The desk is busy.", last.GetMessage())

	for _, s := range scenarios {
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			text, waited, err := runServer(t.Context(), c, s)
			require.NoError(t, err)
			check(t, d, s, text, waited)
		})
	}
}

// lastFailureOf returns how the attempt before the last one failed, from the history.
func lastFailureOf(t *testing.T, c client.Client, made call) (last *failure.Failure) {
	t.Helper()
	events := c.GetWorkflowHistory(t.Context(), workflowID(made), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		last = cmp.Or(last, event.GetActivityTaskStartedEventAttributes().GetLastFailure())
	}
	return last
}

// The next worker gets the first answer for the order in the middle of which the worker was
// killed, and does not call for those before.
func TestTemporal_KilledWorker(t *testing.T) {
	t.Parallel()
	killWorker(t, scenario{call: refund("ORD-1", "ORD-2", "ORD-3"), booked: 3, called: 3}, enums.TIMEOUT_TYPE_HEARTBEAT)
}

// The next worker looks first.
func TestTemporal_KilledWorkerWithoutKeys(t *testing.T) {
	t.Parallel()
	killWorker(t, scenario{call: letter("ORD-1", "ORD-2", "ORD-3"), booked: 3, called: 3},
		enums.TIMEOUT_TYPE_START_TO_CLOSE)
}

// killWorker kills a worker in the middle of the second order, when the server has the details of
// the first, and starts another one. Missed is what tells the server that a worker is gone.
func killWorker(t *testing.T, s scenario, missed enums.TimeoutType) {
	t.Helper()
	address, c := startServer(t)
	second := s.call.Orders[1]
	d := openDesk(map[string][]fault{})
	d.hold = map[string]chan struct{}{second: make(chan struct{})}
	release := sync.OnceFunc(func() { close(d.hold[second]) })
	defer d.stop()
	defer release()
	worker := startWorker(t, "DURABLE_ADDRESS="+address, "DURABLE_DESK="+d.url)
	started, err := c.ExecuteWorkflow(t.Context(),
		client.StartWorkflowOptions{ID: workflowID(s.call), TaskQueue: taskQueue}, callWorkflow, s.call)
	require.NoError(t, err)
	beats := map[time.Time]bool{} // of the first run, in the middle of the second order
	wanted := 1
	if s.call.keyed() {
		wanted = 2 // it goes on while the call takes its time
	}
	require.Eventually(t, func() bool {
		running, p := runningOf(t, c, started)
		if running.GetAttempt() == 1 && len(p.Answers) == 1 {
			beats[running.GetLastHeartbeatTime().AsTime()] = true
		}
		_, called := d.counts([]string{second})
		return called == 1 && len(beats) == wanted
	}, testutil.Patience, 10*time.Millisecond)
	require.NoError(t, worker.Process.Kill())
	_ = worker.Wait()
	release() // the desk goes on without it

	next := startWorker(t, "DURABLE_ADDRESS="+address, "DURABLE_DESK="+d.url)
	var answers []string
	require.NoError(t, started.Get(t.Context(), &answers))
	check(t, d, s, report(s.call, answers, nil), 0)
	assert.Equal(t, missed, lastFailureOf(t, c, s.call).GetTimeoutFailureInfo().GetTimeoutType())
	require.NoError(t, next.Process.Kill())
	_ = next.Wait()
}

// runningOf returns the running activity of a workflow, or nil, and what it has kept.
func runningOf(
	t *testing.T, c client.Client, started client.WorkflowRun,
) (running *workflow.PendingActivityInfo, p progress) {
	t.Helper()
	described, err := c.DescribeWorkflowExecution(t.Context(), started.GetID(), started.GetRunID())
	require.NoError(t, err)
	for _, running = range described.PendingActivities {
		if running.HeartbeatDetails != nil {
			require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(running.HeartbeatDetails, &p))
		}
	}
	return running, p
}

// startWorker starts a worker process.
func startWorker(t *testing.T, environment ...string) *exec.Cmd {
	t.Helper()
	worker := exec.CommandContext(t.Context(), os.Args[0])
	worker.Env = append(os.Environ(), environment...)
	worker.Stderr = os.Stderr
	require.NoError(t, worker.Start())
	return worker
}
