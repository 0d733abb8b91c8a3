package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"math"
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
	each(t, func(t *testing.T, d place) {
		resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "call_keys") })
	})
}

// Under the strictest isolation, servers refuse transactions that they cannot serialize,
// and they are retried.
func TestStore_Serializable(t *testing.T) {
	t.Parallel()
	served(t, func(t *testing.T, d place) {
		d.name += map[sqlstore.Dialect]string{
			sqlstore.PostgreSQL: "&default_transaction_isolation=serializable", sqlstore.MySQL: "?tx_isolation='SERIALIZABLE'",
		}[d.dialect]
		resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "serializable_keys") })
	})
}

func TestCreateTable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
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
	require.ErrorContains(t, (&sqlstore.Store{DB: new(sql.DB), Dialect: sqlstore.SQLite, MaxAge: 24}).
		CreateTable(t.Context()), "give it a unit")
	require.ErrorContains(t, (&sqlstore.Store{DB: new(sql.DB), Dialect: sqlstore.SQLite, Patience: 10}).
		CreateTable(t.Context()), "Patience 10ns: give it a unit")
	require.ErrorContains(t, (&sqlstore.Store{DB: new(sql.DB)}).CreateTable(t.Context()),
		"sqlstore.PostgreSQL or sqlstore.MySQL")
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

// lock blocks writers of a table until the test ends it.
func lock(t *testing.T, s *sqlstore.Store) *sql.Conn {
	t.Helper()
	conn, err := s.DB.Conn(t.Context())
	require.NoError(t, err)
	statements := []string{"BEGIN", "SELECT * FROM " + s.Table + " FOR UPDATE"}
	if s.Dialect == sqlstore.SQLite {
		statements = []string{"BEGIN IMMEDIATE"}
	}
	for _, statement := range statements {
		_, err = conn.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return conn
}

// A repeat takes no lock: it does not wait for a writer.
func TestClaim_RepeatOnlyReads(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		s, running, applied := d.store(t, "read_keys"), request(), request()
		claim(t, s, running)
		claim(t, s, applied)
		require.NoError(t, s.Finish(t.Context(), applied.ID, applied.Owner,
			idempotency.Ending{Effect: toolerr.EffectApplied}))
		writer := lock(t, s)
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(running)).State)
		assert.Equal(t, idempotency.StateDone, claim(t, s, again(applied)).State)
		conflict := again(applied)
		conflict.Fingerprint = "g"
		assert.Equal(t, idempotency.StateConflict, claim(t, s, conflict).State)
		_, err := writer.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
	})
}

// Another process changes one column of a row after a claim has read that it can have the id.
func TestClaim_ChangedInBetween(t *testing.T) {
	t.Parallel()
	if server == nil {
		// SQLite has no row locks, which make the claim wait.
		t.Skip("PostgreSQL is not installed")
	}
	for change, c := range map[string]struct {
		before string
		want   idempotency.State
	}{
		"effect = 'applied'":                {"effect = 'none'", idempotency.StateDone},
		"answer = 'a'":                      {"effect = 'unknown', attempt = 1", idempotency.StateAnswered},
		"owner = 'second'":                  {"effect = 'none'", idempotency.StateAbandoned},
		"lease_until = lease_until + 99999": {"lease_until = lease_until - 60000", idempotency.StateRunning},
		"expires = expires + 864000000":     {"expires = 1, effect = 'applied'", idempotency.StateClaimed},
		"expires = 9000000000000":           {"expires = 1, effect = 'applied'", idempotency.StateDone},
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			d := newPostgres(t, server.Addr)
			s, r := d.store(t, "changed_keys"), request()
			claim(t, s, r)
			set := func(db interface {
				ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
			}, what string,
			) {
				_, err := db.ExecContext(t.Context(), "UPDATE changed_keys SET version = version + 1, "+what)
				require.NoError(t, err)
			}
			set(s.DB, c.before)
			other := lock(t, s)
			r.Owner, r.Rerun, r.Attempt = "second", true, 1
			got := make(chan idempotency.Claim, 1)
			go func() {
				claim, err := s.Claim(t.Context(), r)
				assert.NoError(t, err)
				got <- claim
			}()
			for waiting := 0; waiting == 0; { // until the claim waits for the lock
				require.NoError(t, s.DB.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
					WHERE wait_event_type = 'Lock' AND query LIKE '%changed_keys%' AND $1 = ANY(pg_blocking_pids(pid))`, pid(t, other)).Scan(&waiting))
			}
			set(other, change)
			_, err := other.ExecContext(t.Context(), "COMMIT")
			require.NoError(t, err)
			assert.Equal(t, c.want, (<-got).State)
		})
	}
}

// pid returns the process of a connection to PostgreSQL.
func pid(t *testing.T, conn *sql.Conn) (n int) {
	t.Helper()
	require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&n))
	return n
}

// The modes of a driver and a connection pooler that allow no prepared statements.
func TestStore_Unprepared(t *testing.T) {
	t.Parallel()
	if server == nil {
		// SQLite has no modes.
		t.Skip("PostgreSQL is not installed")
	}
	for _, mode := range []string{"simple_protocol", "exec", "describe_exec", "cache_describe"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			d := newPostgres(t, server.Addr)
			d.name += "&default_query_exec_mode=" + mode
			resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "mode_keys") })
		})
	}
}

// The settings of a connection to MariaDB that change what statements mean or return.
func TestStore_Connections(t *testing.T) {
	t.Parallel()
	if maria == nil {
		// Others have no such settings.
		t.Skip("MariaDB is not installed")
	}
	for _, setting := range []string{
		"clientFoundRows=true", "interpolateParams=true", "parseTime=true&loc=Local", "time_zone='%2B05:30'", "sql_mode=''",
		"sql_mode='ANSI'", "collation=latin1_german1_ci",
	} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			d := newMaria(t, maria.Addr)
			d.name += "?" + setting
			resulttest.TestStore(t, func() idempotency.Store { return d.store(t, "set_keys") })
		})
	}
}

func TestFinish_MaxAnswer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
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

// An expired row is reused, and a store deletes the others by itself, in batches and without
// further claims. No other row is deleted.
func TestSweep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		s := d.store(t, "old_keys")
		s.MaxAge = time.Millisecond
		var old []idempotency.Request
		for range 250 {
			r := request()
			r.Lease = time.Millisecond
			claim(t, s, r)
			// it may already be expired
			_ = s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied})
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
		deleted, err := s.Sweep(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, deleted, 200)
		require.Eventually(t, func() bool {
			n := 0
			return s.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM old_keys").Scan(&n) == nil && n == 3
		}, testutil.Patience, 20*time.Millisecond, "running, recent and reused rows")
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(running)).State)
		assert.Equal(t, idempotency.StateDone, claim(t, s, again(young)).State)
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(reused)).State)
	})
}

// The longest age that can be written does not overflow.
func TestStore_LongestAge(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		s, r := d.store(t, "long_keys"), request()
		s.MaxAge = math.MaxInt64
		require.Equal(t, idempotency.StateClaimed, claim(t, s, r).State)
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(r)).State)
	})
}

// An operator ends a call whose server has died.
func TestStore_Resolve(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		s := d.store(t, "resolved_keys")
		for effect, want := range map[toolerr.Effect]idempotency.State{
			toolerr.EffectApplied: idempotency.StateDone,
			toolerr.EffectNone:    idempotency.StateClaimed,
		} {
			abandoned, failed, running := request(), request(), request()
			abandoned.Lease = time.Millisecond
			for _, r := range []idempotency.Request{abandoned, failed, running} {
				claim(t, s, r)
			}
			require.NoError(t, s.Finish(t.Context(), failed.ID, failed.Owner,
				idempotency.Ending{Effect: toolerr.EffectUnknown, Answer: []byte("?")}))
			// The lease ends by the clock of the database.
			time.Sleep(50 * time.Millisecond)
			for _, r := range []idempotency.Request{abandoned, failed} {
				for range 2 { // its reply may be lost
					require.NoError(t, s.Resolve(t.Context(), r.ID, effect))
				}
				require.ErrorIs(t, s.Finish(t.Context(), r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectNone}),
					idempotency.ErrLost, "a server that lives")
				r.Lease = time.Minute
				assert.Equal(t, want, claim(t, s, again(r)).State, effect)
			}
			require.ErrorIs(t, s.Resolve(t.Context(), running.ID, effect), idempotency.ErrLost, "it runs")
			require.ErrorIs(t, s.Resolve(t.Context(), abandoned.ID, toolerr.EffectUnknown), idempotency.ErrLost)
			require.ErrorIs(t, s.Resolve(t.Context(), "unknown", effect), idempotency.ErrLost)
			assert.Equal(t, idempotency.StateRunning, claim(t, s, again(running)).State)
		}
	})
}

// One principal fills only its own room. Its known keys are answered all the same.
func TestStore_MaxCalls(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		s := d.open(t, "full_keys")
		s.MaxCalls = 20
		require.NoError(t, s.CreateTable(t.Context()))
		of := func(principal string) idempotency.Request {
			r := request()
			r.Principal = principal
			return r
		}
		first := of("greedy")
		require.Equal(t, idempotency.StateClaimed, claim(t, s, first).State)
		var refused error
		for range 5000 {
			if _, refused = s.Claim(t.Context(), of("greedy")); refused != nil {
				break
			}
			// A count is made in the background, and waits for writers.
			time.Sleep(time.Millisecond)
		}
		require.ErrorIs(t, refused, idempotency.ErrFull)
		assert.Equal(t, idempotency.StateRunning, claim(t, s, again(first)).State, "a repeat")
		assert.Equal(t, idempotency.StateClaimed, claim(t, s, of("modest")).State)
		unlimited := d.open(t, "full_keys")
		unlimited.MaxCalls = -1
		for range 150 {
			claim(t, unlimited, of("greedy"))
		}
	})
}

// A database that only reads, as during a failover, is waited for.
func TestStore_ReadOnly(t *testing.T) {
	t.Parallel()
	served(t, func(t *testing.T, d place) {
		admin := d.store(t, "replica_keys").DB
		clerk := "replica_" + strings.ToLower(rand.Text())
		exec := func(statements ...string) {
			for _, statement := range statements {
				_, err := admin.ExecContext(context.Background(), statement)
				assert.NoError(t, err)
			}
		}
		begin, end := "ALTER ROLE "+clerk+" SET default_transaction_read_only = on",
			"ALTER ROLE "+clerk+" RESET default_transaction_read_only"
		if d.dialect == sqlstore.MySQL { // for all but the superuser of the other tests
			begin, end = "SET GLOBAL read_only = 1", "SET GLOBAL read_only = 0"
			exec("CREATE USER "+clerk, "GRANT ALL ON "+d.name[strings.LastIndexByte(d.name, '/')+1:]+".* TO "+clerk)
			d.name = strings.Replace(d.name, "root@", clerk+"@", 1)
		} else {
			exec("CREATE ROLE " + clerk + " LOGIN SUPERUSER")
			d.name = strings.Replace(d.name, "postgres@", clerk+"@", 1)
		}
		exec(begin)
		s := d.open(t, "replica_keys")
		s.Patience = -1
		_, err := s.Claim(t.Context(), request())
		e := toolerr.From(err)
		assert.Equal(t, "transient unavailable  1s", fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.RetryAfter),
			err)
		assert.Regexp(t, "read-only", err.Error(), "the database's own error, for the log")
		s = d.open(t, "replica_keys")
		s.Patience = testutil.Patience
		s.DB.SetMaxIdleConns(0) // each try has a new connection
		time.AfterFunc(50*time.Millisecond, func() { exec(end) })
		assert.Equal(t, idempotency.StateClaimed, claim(t, s, request()).State)
	})
}

// A process whose clock is 26 years slow claims, and one with a correct clock reads the
// times, and the other way round.
func TestStore_Clocks(t *testing.T) {
	t.Parallel()
	served(t, func(t *testing.T, d place) { // SQLite only has the clock of its process
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
	assert.Equal(t, "transient unavailable true",
		fmt.Sprint(toolerr.From(err).Category, " ", toolerr.From(err).Code, " ", toolerr.From(err).Retryable))
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
