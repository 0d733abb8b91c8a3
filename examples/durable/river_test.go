package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
)

var kills = flag.Int("kills", 0, "kill workers so `often` while they work (40 s, most of which River waits before it "+
	"takes their jobs from them)")

// The test's own program is the worker, if the environment says so.
func TestMain(m *testing.M) {
	dsn, address := os.Getenv("DURABLE_DATABASE"), os.Getenv("DURABLE_ADDRESS")
	if dsn+address == "" {
		os.Exit(m.Run())
	}
	if err := start(context.Background(), dsn, address, os.Getenv("DURABLE_DESK")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newDatabase(t *testing.T) *queue {
	t.Helper()
	p, err := openDatabase(t.Context())
	if errors.Is(err, database.ErrMissing) {
		// It is a server of another project, which .ci/weekly installs.
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(p.stop)
	return p
}

func TestRiver(t *testing.T) {
	t.Parallel()
	p := newDatabase(t)
	d := openDesk(plan())
	t.Cleanup(d.stop)
	for _, s := range scenarios {
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			text, waited, err := runRiver(t.Context(), p, d, s, slog.DiscardHandler)
			require.NoError(t, err)
			check(t, d, s, text, waited)
		})
	}
}

// The column of errors has code and message of each attempt that failed. Operators hear of
// calls that were given up, and not of a business refusal, a long wait, or a repeat.
func TestRiver_Errors(t *testing.T) {
	t.Parallel()
	p := newDatabase(t)
	d := openDesk(map[string][]fault{
		"REFUSED": {refuse}, "CLOSED": {closed}, "LISTED": {closed}, "BUSY": {busy, busy},
		"GIVEN-UP": {busy, busy, busy},
	})
	defer d.stop()
	const rateLimited = "rate_limited: The desk is busy."
	for order, want := range map[string]struct {
		state  rivertype.JobState
		errors []string
		alarms int
		never  []string
	}{
		"REFUSED":  {rivertype.JobStateCancelled, []string{"JobCancelError: limit_exceeded: Over the limit."}, 0, nil},
		"CLOSED":   {rivertype.JobStateCompleted, nil, 0, nil},
		"BUSY":     {rivertype.JobStateCompleted, []string{rateLimited, rateLimited}, 0, nil},
		"LISTED":   {rivertype.JobStateCancelled, []string{"rate_limited: The desk is closed."}, 1, []string{"rate_limited"}},
		"GIVEN-UP": {rivertype.JobStateCancelled, []string{rateLimited, rateLimited, rateLimited}, 1, nil},
	} {
		var logs bytes.Buffer // of a client at a time, which gets no other jobs
		_, _, err := runRiver(t.Context(), p, d, scenario{call: call{"process_refund", []string{order}, want.never, 0}},
			alarmsOf(&logs))
		require.NoError(t, err)
		var state rivertype.JobState
		var texts []string
		row := p.pool.QueryRow(t.Context(), `SELECT state::text, ARRAY(SELECT unnest(errors)->>'error') FROM river_job `+
			`WHERE args->'orders'->>0 = $1`, order)
		require.NoError(t, row.Scan(&state, &texts))
		assert.Equal(t, want.state, state, order)
		assert.ElementsMatch(t, want.errors, texts, order)
		assert.Equal(t, want.alarms, strings.Count(logs.String(), "level=ERROR"), order)
	}
}

// A worker that is stopped in the middle of its calls leaves them to the next one, which
// looks, or gets the first answer.
func TestRiver_StoppedWorker(t *testing.T) {
	t.Parallel()
	p, d, held := newDatabase(t), openDesk(map[string][]fault{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	defer d.stop()
	defer release()
	d.hold = map[string]chan struct{}{"ORD-1": held, "ORD-2": held}
	client, err := newRiver(p.pool, d.url, slog.DiscardHandler)
	require.NoError(t, err)
	require.NoError(t, client.Start(t.Context()))
	inserted, err := client.InsertMany(t.Context(),
		[]river.InsertManyParams{{Args: letter("ORD-1")}, {Args: refund("ORD-0", "ORD-2")}})
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, called := d.counts([]string{"ORD-1", "ORD-2"}); return called == 2 },
		testutil.Patience, time.Millisecond)
	job, err := client.JobGet(t.Context(), inserted[1].Job.ID)
	require.NoError(t, err)
	kept, _ := keptOf(job)
	assert.Len(t, kept.Answers, 1, "of the first order, in the middle of the run")
	require.NoError(t, client.StopAndCancel(t.Context()))
	release() // the desk goes on without it
	require.NoError(t, client.Start(t.Context()))
	defer func() { assert.NoError(t, client.Stop(t.Context())) }()
	for i, c := range []call{letter("ORD-1"), refund("ORD-0", "ORD-2")} {
		text, waited, err := finished(t.Context(), client, inserted[i].Job.ID)
		require.NoError(t, err)
		check(t, d, scenario{call: c, booked: len(c.Orders), called: len(c.Orders)}, text, waited)
	}
}

// A door to the desk counts the calls in it.
type door struct {
	url   string
	calls atomic.Int64
}

func openDoor(t *testing.T, d *desk) *door {
	t.Helper()
	address, err := url.Parse(d.url)
	require.NoError(t, err)
	to, way := httputil.NewSingleHostReverseProxy(address), new(door)
	to.ErrorLog = log.New(io.Discard, "", 0) // of workers that are killed
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			way.calls.Add(1)
			defer way.calls.Add(-1)
		}
		to.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
	way.url = front.URL
	return way
}

func ordersDone(d *desk) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.booked)
}

// Three workers on one queue are killed in turn, in the middle of their work, and started
// again: each order is done once, whatever else goes wrong.
func TestRiver_KilledWorkers(t *testing.T) {
	t.Parallel()
	if *kills == 0 {
		// It takes longer than all other tests together.
		t.Skip("without -kills N")
	}
	p := newDatabase(t)
	const orders = 60
	faults := map[string][]fault{}
	var jobs []river.InsertManyParams
	for i := range orders {
		order, another := fmt.Sprintf("ORD-%d", i), fmt.Sprintf("ORD-%d", i+1)
		faults[order] = [][]fault{nil, {lost}, {busy}, {busy, lost}, nil}[i%5]
		switch i % 4 {
		case 0:
			faults[order] = [][]fault{nil, {lost}, {gone}}[i/4%3]
			jobs = append(jobs, river.InsertManyParams{Args: letter(order, another)})
		case 2:
			jobs = append(jobs, river.InsertManyParams{Args: refund(order, another)})
		}
	}
	d := openDesk(faults)
	defer d.stop()
	d.took = 150 * time.Millisecond
	client, err := newRiver(p.pool, "", slog.DiscardHandler)
	require.NoError(t, err)
	inserted, err := client.InsertMany(t.Context(), jobs)
	require.NoError(t, err)

	workers, doors := make([]*exec.Cmd, 3), make([]*door, 3)
	for i := range workers {
		doors[i] = openDoor(t, d)
		workers[i] = startWorker(t, "DURABLE_DATABASE="+database.PostgreSQLURL(p.Addr), "DURABLE_DESK="+doors[i].url)
	}
	for i := range *kills {
		// Until it works, or no work is left.
		require.Eventually(t, func() bool { return doors[i%3].calls.Load() > 0 || ordersDone(d) == orders },
			testutil.Patience, time.Millisecond)
		require.NoError(t, workers[i%3].Process.Kill())
		_ = workers[i%3].Wait()
		workers[i%3] = startWorker(t, "DURABLE_DATABASE="+database.PostgreSQLURL(p.Addr), "DURABLE_DESK="+doors[i%3].url)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*testutil.Patience)
	defer cancel()
	rescued := 0
	for _, job := range inserted {
		text, _, err := finished(ctx, client, job.Job.ID)
		require.NoError(t, err)
		assert.Contains(t, text, `{"done":[`)
		rescued += rescuesOf(t, client, job.Job.ID)
	}
	for _, worker := range workers {
		_ = worker.Process.Kill()
		_ = worker.Wait()
	}
	calls := 0
	for i := range orders {
		booked, called := d.counts([]string{fmt.Sprintf("ORD-%d", i)})
		assert.Equal(t, 1, booked, "ORD-%d was done", i)
		calls += called
	}
	assert.Positive(t, rescued, "no worker was killed while it worked")
	t.Logf("%d orders, %d workers killed, %d runs cut off by that, %d calls", orders, *kills, rescued, calls)
}

// rescuesOf returns how many runs of a job River has taken from a dead worker.
func rescuesOf(t *testing.T, client *river.Client[pgx.Tx], id int64) (n int) {
	t.Helper()
	job, err := client.JobGet(t.Context(), id)
	require.NoError(t, err)
	for _, failed := range job.Errors {
		if strings.Contains(failed.Error, "rescued") {
			n++
		}
	}
	return n
}

func TestRun(t *testing.T) {
	t.Parallel()
	newDatabase(t) // or there is none
	var out bytes.Buffer
	require.NoError(t, runAll(t.Context(), &out, ""))
	want, err := os.ReadFile("testdata/transcript.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String())
}
