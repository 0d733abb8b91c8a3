package sqlstore_test

import (
	"crypto/rand"
	"database/sql"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// benchmarked returns the stores whose times are compared.
func benchmarked(b *testing.B) map[string]idempotency.Store {
	b.Helper()
	stores := map[string]idempotency.Store{"memory": new(idempotency.MemoryStore)}
	for name, d := range databases(b) {
		stores[name] = d.store(b, "call_keys")
	}
	return stores
}

var answer = []byte(`{"call":"0123456789abcdef0123456789abcdef","out":{"receipt":"R-7","order":"ORD-7"}}`)

func newRequest() idempotency.Request {
	r := request()
	r.Lease, r.Principal = time.Minute, "p"
	return r
}

// byHand are the prepared statements of a program that stores its calls by hand: an INSERT
// at the start of a call, an UPDATE at its end, and a SELECT for a repeat. It uses its own
// clock, and retries nothing.
type byHand struct {
	insert, update, lookUp *sql.Stmt
}

func newByHand(b *testing.B, d place) byHand {
	b.Helper()
	s, table := d.open(b, ""), "by_hand_"+rand.Text()
	bytes, p := "LONGBLOB", "?$1" // also SQLite takes this type
	switch d.dialect {
	case sqlstore.PostgreSQL:
		bytes, p = "BYTEA", "$$$1"
	case sqlstore.MySQL:
		p = "?"
	}
	for _, statement := range []string{
		`CREATE TABLE ` + table + ` (id VARCHAR(64) PRIMARY KEY, fingerprint TEXT NOT NULL, owner TEXT NOT NULL, effect TEXT NOT NULL,
			answer ` + bytes + `, lease_until BIGINT NOT NULL, expires BIGINT NOT NULL)`,
		"CREATE INDEX " + table + "_expires ON " + table + " (expires)",
	} {
		_, err := s.DB.ExecContext(b.Context(), statement)
		require.NoError(b, err)
	}
	prepared := func(text string) *sql.Stmt {
		statement, err := s.DB.PrepareContext(b.Context(), regexp.MustCompile("@([0-9])").ReplaceAllString(text, p))
		require.NoError(b, err)
		return statement
	}
	return byHand{
		prepared("INSERT INTO " + table + " (id, fingerprint, owner, effect, lease_until, expires) VALUES (@1, @2, @3, '', " +
			"@4, @5)"),
		prepared("UPDATE " + table + " SET effect = @1, answer = @2, expires = @3 WHERE id = @4 AND owner = @5"),
		prepared("SELECT fingerprint, effect, answer, lease_until, expires FROM " + table + " WHERE id = @1"),
	}
}

func (h byHand) call(b *testing.B, r idempotency.Request) {
	b.Helper()
	now := time.Now()
	_, err := h.insert.ExecContext(b.Context(), r.ID, r.Fingerprint, r.Owner, now.Add(r.Lease).UnixMilli(),
		now.Add(24*time.Hour).UnixMilli())
	if err != nil {
		b.Fatal(err)
	}
	done, err := h.update.ExecContext(b.Context(), "applied", answer, time.Now().Add(24*time.Hour).UnixMilli(), r.ID,
		r.Owner)
	if err != nil {
		b.Fatal(err)
	}
	if changed, err := done.RowsAffected(); err != nil || changed != 1 {
		b.Fatal(changed, err)
	}
}

func (h byHand) repeat(b *testing.B, r idempotency.Request) {
	b.Helper()
	var fingerprint, effect string
	var got []byte
	var lease, expires int64
	err := h.lookUp.QueryRowContext(b.Context(), r.ID).Scan(&fingerprint, &effect, &got, &lease, &expires)
	if err != nil || fingerprint != r.Fingerprint || effect == "" || time.Now().UnixMilli() > expires {
		b.Fatal("no answer: ", fingerprint, effect, err)
	}
}

func firstCall(b *testing.B, store idempotency.Store, r idempotency.Request) {
	b.Helper()
	if got, err := store.Claim(b.Context(), r); err != nil || got.State != idempotency.StateClaimed {
		b.Fatal(got, err)
	}
	if err := store.Finish(b.Context(), r.ID, r.Owner,
		idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer}); err != nil {
		b.Fatal(err)
	}
}

// compare runs two ways in turns, twenty calls each, and reports the times of a call. A
// ratio is the median of the turns: of the elapsed time, which counts for PostgreSQL, and
// of the CPU time of this process, in which SQLite runs.
func compare(b *testing.B, ours, byHand func()) {
	b.Helper()
	const calls = 20
	run := func(f func()) (wall, cpu float64) {
		startWall, startCPU := time.Now(), cpuTime()
		for range calls {
			f()
		}
		return float64(time.Since(startWall)) / calls, float64(cpuTime()-startCPU) / calls
	}
	var walls, cpus, ourWalls, handWalls []float64
	for turn := 0; b.Loop(); turn++ {
		var wall, cpu, handWall, handCPU float64
		if turn%2 == 0 {
			wall, cpu = run(ours)
			handWall, handCPU = run(byHand)
		} else {
			handWall, handCPU = run(byHand)
			wall, cpu = run(ours)
		}
		walls, cpus = append(walls, wall/handWall), append(cpus, cpu/handCPU)
		ourWalls, handWalls = append(ourWalls, wall), append(handWalls, handWall)
	}
	median := func(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }
	b.ReportMetric(0, "ns/op") // of two ways in turns, which says nothing
	b.ReportMetric(median(ourWalls), "store-ns")
	b.ReportMetric(median(handWalls), "by-hand-ns")
	b.ReportMetric(median(walls), "ratio")
	b.ReportMetric(median(cpus), "cpu-ratio")
}

// durable returns the databases that are set up for a server, and each once more without
// waiting for the disk at a commit, which leaves more of the difference.
func durable(b *testing.B) map[string]place {
	b.Helper()
	all := databases(b)
	delete(all, "SQLite, not set up")
	for name, d := range databases(b) { // others than those above
		switch name {
		case "SQLite":
			d.name += "&_pragma=synchronous(NORMAL)"
			all["SQLite, synchronous=NORMAL"] = d
		case "PostgreSQL":
			d.name += "&synchronous_commit=off"
			all["PostgreSQL, synchronous_commit=off"] = d
		}
	}
	return all
}

// cpuTime returns the CPU time of all threads of the process, user and system.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkFirstCall compares a claim and its answer with an INSERT and an UPDATE by hand.
func BenchmarkFirstCall(b *testing.B) {
	for name, d := range durable(b) {
		b.Run(name, func(b *testing.B) {
			store, hand := d.store(b, "first_keys"), newByHand(b, d)
			compare(b, func() { firstCall(b, store, newRequest()) }, func() { hand.call(b, newRequest()) })
		})
	}
}

// BenchmarkReplay compares a claim that gets the stored answer with a SELECT by hand.
func BenchmarkReplay(b *testing.B) {
	for name, d := range durable(b) {
		b.Run(name, func(b *testing.B) {
			store, hand, r := d.store(b, "replay_keys"), newByHand(b, d), newRequest()
			firstCall(b, store, r)
			hand.call(b, r)
			second := r
			second.Owner = rand.Text()
			compare(b, func() {
				if got, err := store.Claim(b.Context(), second); err != nil || got.State != idempotency.StateAnswered {
					b.Fatal("no answer: ", got, err)
				}
			}, func() { hand.repeat(b, second) })
		})
	}
}

var rows = flag.Int("rows", 0, "rows in the table of BenchmarkLargeTable, half of them expired")

// fill adds rows to a store's table, in the order of their expiry, of ten thousand principals.
func fill(b *testing.B, s *sqlstore.Store, n int) {
	b.Helper()
	const columns = "(id, principal, fingerprint, owner, caller, attempt, effect, answer, lease_until, expires, version)"
	now, half := time.Now().UnixMilli(), n/2
	values := fmt.Sprintf("'f', 'o', '', 0, 'applied', CAST('%s' AS {bytes}), 0, %d + (n - %d) * 4, 1",
		strings.Repeat("x", 200), now, half)
	numbers, series := "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT %s FROM s",
		"BLOB"
	id := "'old-' || n, 'p-' || (n % 10000), "
	switch s.Dialect {
	case sqlstore.PostgreSQL:
		numbers, series = "SELECT %[2]s FROM generate_series(1, %[1]d) AS s(n)", "BYTEA"
	case sqlstore.MySQL:
		numbers, series = "SELECT %[2]s FROM (SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_%[1]d) AS s", "BINARY"
		id = "CONCAT('old-', n), CONCAT('p-', n % 10000), "
	}
	text := fmt.Sprintf(numbers, n, id+strings.ReplaceAll(values, "{bytes}", series))
	_, err := s.DB.ExecContext(b.Context(), "INSERT INTO "+s.Table+" "+columns+" "+text)
	require.NoError(b, err)
}

// BenchmarkLargeTable compares first calls in a table with many rows with those in an empty one,
// while the store deletes the expired rows.
//
//	go test . -run '^$' -bench LargeTable -rows 10000000 -timeout 1h
func BenchmarkLargeTable(b *testing.B) {
	for name, d := range databases(b) {
		b.Run(name, func(b *testing.B) {
			if *rows == 0 {
				// It takes minutes and gigabytes.
				b.Skip("without -rows N")
			}
			large, empty := d.store(b, "large_keys"), d.store(b, "empty_keys")
			fill(b, large, *rows)
			started := time.Now()
			deleted, err := large.Sweep(b.Context())
			require.NoError(b, err)
			require.Equal(b, 200, deleted)
			b.Logf("a sweep: %v", time.Since(started))
			compare(b, func() { firstCall(b, large, newRequest()) }, func() { firstCall(b, empty, newRequest()) })
		})
	}
}

// BenchmarkFirstCalls measures concurrent first calls, eight callers per CPU.
func BenchmarkFirstCalls(b *testing.B) {
	for name, store := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					firstCall(b, store, newRequest())
				}
			})
		})
	}
}
