package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var kills = flag.Int("kills", 0, "kill workers so `often` while they work (40 s, most of which River waits before it takes their jobs from them)")

// The test's own program is the worker, if the environment says so.
func TestMain(m *testing.M) {
	if database := os.Getenv("DURABLE_DATABASE"); database != "" {
		if err := work(context.Background(), database, os.Getenv("DURABLE_DESK")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newPostgres(t *testing.T) *postgres {
	t.Helper()
	p, err := startPostgres(t.Context())
	if os.Getenv("CI") == "" && err != nil && err.Error() == errNoPostgres.Error() {
		// It is a server of another project, which .ci/run installs.
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(p.stop)
	return p
}

func TestRiver(t *testing.T) {
	t.Parallel()
	p := newPostgres(t)
	d := openDesk(plan())
	defer d.stop()
	for _, s := range scenarios {
		t.Run(s.title, func(t *testing.T) {
			text, err := runRiver(t.Context(), p, d, s)
			require.NoError(t, err)
			check(t, d, s, text)
		})
	}
}

// startWorker starts a worker process.
func startWorker(t *testing.T, p *postgres, d *desk) *exec.Cmd {
	t.Helper()
	worker := exec.CommandContext(t.Context(), os.Args[0])
	worker.Env = append(os.Environ(), "DURABLE_DATABASE="+p.url, "DURABLE_DESK="+d.url)
	worker.Stderr = os.Stderr
	require.NoError(t, worker.Start())
	return worker
}

// Three workers on one queue are killed in turn, in the middle of their work, and started
// again: each order is done once, whatever else goes wrong.
func TestRiver_KilledWorkers(t *testing.T) {
	t.Parallel()
	if *kills == 0 {
		// It takes longer than all other tests together.
		t.Skip("without -kills N")
	}
	p := newPostgres(t)
	const orders = 60
	faults := map[string][]fault{}
	var jobs []river.InsertManyParams
	for i := range orders {
		c := call{Tool: "process_refund", Order: fmt.Sprintf("ORD-%d", i)}
		faults[c.Order] = [][]fault{nil, {lost}, {busy}, {busy, lost}, nil}[i%5]
		if i%3 == 0 {
			c.Tool = "post_letter"
			faults[c.Order] = [][]fault{nil, {lost}, {gone}}[i/3%3]
		}
		jobs = append(jobs, river.InsertManyParams{Args: c})
	}
	d := openDesk(faults)
	defer d.stop()
	d.took = 150 * time.Millisecond
	client, err := newRiver(p.pool, "")
	require.NoError(t, err)
	inserted, err := client.InsertMany(t.Context(), jobs)
	require.NoError(t, err)

	workers := make([]*exec.Cmd, 3)
	for i := range workers {
		workers[i] = startWorker(t, p, d)
	}
	for i := range *kills {
		// The work between two kills is real, in other processes.
		time.Sleep(300 * time.Millisecond)
		require.NoError(t, workers[i%3].Process.Kill())
		_ = workers[i%3].Wait()
		workers[i%3] = startWorker(t, p, d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	rescued := 0
	for _, job := range inserted {
		text, err := finished(ctx, client, job.Job.ID)
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
		booked, called := d.counts(fmt.Sprintf("ORD-%d", i))
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
	newPostgres(t) // or there is none
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	assert.Equal(t, 2*len(scenarios), strings.Count(out.String(), "calls: "))
	assert.NotContains(t, out.String(), "effects: 2")
}
