package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestStore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d database) {
		resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "keys") })
	})
}

// Under the strictest isolation, PostgreSQL refuses transactions that it cannot serialize,
// and they are retried.
func TestStore_Serializable(t *testing.T) {
	t.Parallel()
	if server == nil {
		// SQLite does not have this isolation level.
		t.Skip("PostgreSQL is not installed")
	}
	d := newPostgres(t, server.Addr)
	d.name += "&default_transaction_isolation=serializable"
	resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "serializable_keys") })
}

func TestCreateTable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d database) {
		var group sync.WaitGroup
		for range 16 { // processes that start concurrently
			s := d.open(t, "main_keys")
			group.Go(func() {
				for range 2 {
					assert.NoError(t, s.CreateTable(t.Context()))
				}
			})
		}
		group.Wait()
		assert.Equal(t, idempotency.StateClaimed, claim(t, d.open(t, "main_keys"), request()).State)
		for _, bad := range []string{"a-b", "a b", "a;b", "a.b.c", "1", ".", "a."} {
			assert.ErrorContains(t, d.open(t, bad).CreateTable(t.Context()), "Store.Table is", bad)
		}
	})
	assert.ErrorContains(t, (&sqlstore.Store{DB: new(sql.DB)}).CreateTable(t.Context()), "sqlstore.SQLite or sqlstore.PostgreSQL")
	_, err := new(sqlstore.Store).Claim(t.Context(), request())
	assert.ErrorContains(t, err, "set Store.DB")
}

// A process without the permission to create tables can start if the table exists.
func TestCreateTable_NoPermission(t *testing.T) {
	t.Parallel()
	if server == nil {
		// SQLite has no permissions.
		t.Skip("PostgreSQL is not installed")
	}
	d := newPostgres(t, server.Addr)
	owner := d.store(t, "owned_keys")
	_, schema, _ := strings.Cut(d.name, "search_path=")
	clerk := "clerk_" + schema
	for _, statement := range []string{
		"CREATE ROLE " + clerk + " LOGIN", "GRANT USAGE ON SCHEMA " + schema + " TO " + clerk,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON owned_keys TO " + clerk,
	} {
		_, err := owner.DB.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	d.name = strings.Replace(d.name, "postgres@", clerk+"@", 1)
	s := d.store(t, "owned_keys")
	assert.Equal(t, idempotency.StateClaimed, claim(t, s, request()).State)
	started := time.Now()
	s = d.open(t, "new_keys")
	s.Patience = time.Hour
	assert.Error(t, s.CreateTable(t.Context()))
	assert.Less(t, time.Since(started), testutil.Patience, "what is for good is not tried again")
}

func request() idempotency.Request {
	return idempotency.Request{ID: rand.Text(), Fingerprint: "f", Owner: rand.Text(), Lease: time.Minute}
}

func claim(t *testing.T, s idempotency.Store, r idempotency.Request) idempotency.Claim {
	t.Helper()
	got, err := s.Claim(t.Context(), r)
	require.NoError(t, err)
	return got
}

func again(r idempotency.Request) idempotency.Request {
	r.Owner = rand.Text()
	return r
}

func TestFinish_MaxAnswer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d database) {
		s, r := d.store(t, "bounded_keys"), request()
		claim(t, s, r)
		end := idempotency.Ending{Effect: toolerr.EffectApplied, Answer: make([]byte, 1<<20+1)}
		require.ErrorContains(t, s.Finish(t.Context(), r.ID, r.Owner, end), "Store.MaxAnswer is 1048576")
		end.Answer = end.Answer[1:]
		require.NoError(t, s.Finish(t.Context(), r.ID, r.Owner, end))
		unbounded := d.open(t, "bounded_keys")
		unbounded.MaxAnswer = -1
		end.Answer = make([]byte, 3<<20)
		require.NoError(t, unbounded.Finish(t.Context(), r.ID, r.Owner, end))
		assert.Len(t, claim(t, s, again(r)).Answer, 3<<20)
	})
}

// An expired row is reused, and is deleted in batches. No other row is deleted.
func TestSweep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d database) {
		s := d.store(t, "old_keys")
		s.MaxAge = time.Millisecond
		var old []idempotency.Request
		for range 250 {
			r := request()
			r.Lease = time.Millisecond
			claim(t, s, r)
			_ = s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied}) // it may already be expired
			old = append(old, r)
		}
		running := request()
		claim(t, s, running)
		kept := d.open(t, "old_keys")
		young := request()
		claim(t, kept, young)
		require.NoError(t, kept.Finish(t.Context(), young.ID, young.Owner, idempotency.Ending{Effect: toolerr.EffectApplied}))
		// The rows expire by the clock of the database.
		time.Sleep(50 * time.Millisecond)
		reused := again(old[249])
		reused.Lease = time.Minute
		assert.Equal(t, idempotency.StateClaimed, claim(t, kept, reused).State)
		count := func() (n int) {
			require.NoError(t, s.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM old_keys").Scan(&n))
			return n
		}
		before := count()
		deleted, err := s.Sweep(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, deleted, 200)
		assert.LessOrEqual(t, before, 252, "rows deleted during the claims")
		for deleted > 0 {
			deleted, err = s.Sweep(t.Context())
			require.NoError(t, err)
		}
		assert.Equal(t, 3, count(), "running, recent and reused rows")
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(running)).State)
		assert.Equal(t, idempotency.StateDone, claim(t, s, again(young)).State)
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(reused)).State)
	})
}

// A process whose clock is 26 years slow claims, and one with a correct clock reads the
// times, and the other way round.
func TestStore_Clocks(t *testing.T) {
	t.Parallel()
	if server == nil {
		// SQLite only has the clock of its process.
		t.Skip("PostgreSQL is not installed")
	}
	d := newPostgres(t, server.Addr)
	s := d.store(t, "clock_keys")
	slow := func(test func(*testing.T, *sqlstore.Store)) {
		synctest.Test(t, func(t *testing.T) { // its clock starts in the year 2000
			db, err := sql.Open(d.driver, d.name)
			require.NoError(t, err)
			defer func() { _ = db.Close() }()
			test(t, &sqlstore.Store{DB: db, Dialect: d.dialect, Table: "clock_keys", Patience: -1})
		})
	}
	long, short := request(), request()
	short.Lease = time.Millisecond
	slow(func(t *testing.T, s *sqlstore.Store) {
		require.Equal(t, 2000, time.Now().Year())
		require.Equal(t, idempotency.StateClaimed, claim(t, s, long).State)
		require.Equal(t, idempotency.StateClaimed, claim(t, s, short).State)
	})
	// The lease ends by the clock of the database.
	time.Sleep(50 * time.Millisecond)
	assert.Equal(t, idempotency.StateRunning, claim(t, s, again(long)).State)
	assert.Equal(t, idempotency.StateAbandoned, claim(t, s, again(short)).State)
	right := request()
	claim(t, s, right)
	slow(func(t *testing.T, s *sqlstore.Store) {
		require.Equal(t, idempotency.StateRunning, claim(t, s, again(right)).State)
		require.Equal(t, idempotency.StateAbandoned, claim(t, s, again(short)).State)
	})
}

// A store retries while another connection holds a lock.
func TestStore_Busy(t *testing.T) {
	t.Parallel()
	d := databases(t)["SQLite, not set up"]
	s := d.store(t, "busy_keys")
	other, err := d.open(t, "").DB.Conn(t.Context())
	require.NoError(t, err)
	_, err = other.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	require.NoError(t, err)
	impatient := d.open(t, "busy_keys")
	impatient.Patience = -1
	_, err = impatient.Claim(t.Context(), request())
	assert.Equal(t, "transient unavailable true", fmt.Sprint(toolerr.From(err).Category, " ", toolerr.From(err).Code, " ", toolerr.From(err).Retryable))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.Claim(ctx, request())
	require.Error(t, err)
	done := make(chan error)
	r := request()
	go func() {
		_, err := s.Claim(t.Context(), r)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatal("not busy: ", err)
	case <-time.After(100 * time.Millisecond):
	}
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, <-done)
	assert.Equal(t, idempotency.StateRunning, claim(t, s, again(r)).State)
}
