package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
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

// startWorker starts a worker process that calls the desk at an address.
func startWorker(t *testing.T, p *postgres, address string) *exec.Cmd {
	t.Helper()
	worker := exec.CommandContext(t.Context(), os.Args[0])
	worker.Env = append(os.Environ(), "DURABLE_DATABASE="+p.url, "DURABLE_DESK="+address)
	worker.Stderr = os.Stderr
	require.NoError(t, worker.Start())
	return worker
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

	workers, doors := make([]*exec.Cmd, 3), make([]*door, 3)
	for i := range workers {
		doors[i] = openDoor(t, d)
		workers[i] = startWorker(t, p, doors[i].url)
	}
	for i := range *kills {
		// Until it works, or no work is left.
		require.Eventually(t, func() bool { return doors[i%3].calls.Load() > 0 || ordersDone(d) == orders }, testutil.Patience, time.Millisecond)
		require.NoError(t, workers[i%3].Process.Kill())
		_ = workers[i%3].Wait()
		workers[i%3] = startWorker(t, p, doors[i%3].url)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*testutil.Patience)
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
