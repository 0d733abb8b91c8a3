package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// The defaults of [Store], chosen as its documentation says.
const (
	defaultTable     = "idempotency_keys"
	defaultMaxAge    = 24 * time.Hour
	defaultMaxAnswer = 1 << 20
	defaultPatience  = 10 * time.Second
)

// A Store is an [idempotency.Store] in a database table that many processes may share. Do
// not copy it, and do not change its fields after its first use. It is safe for concurrent
// use.
type Store struct {
	// DB is the database. The caller closes it. A method uses one connection for the
	// duration of a statement.
	DB *sql.DB
	// Dialect is the SQL dialect of the database. It is required.
	Dialect Dialect
	// Table is the table's name, optionally with a schema: letters, digits and
	// underscores. Default: idempotency_keys.
	Table string
	// MaxAge is how long a call is remembered after it ends. After that its key is
	// new; a row may live up to one eighth longer. Default: 24 h, the minimum at Stripe. A
	// negative value means forever.
	MaxAge time.Duration
	// MaxAnswer is the maximum size of an answer in bytes. Finish returns an error for a
	// longer one, and package idempotency then stores only the effect. Default: 1 MiB,
	// chosen as more than a model reads. A negative value means no limit.
	MaxAnswer int
	// Patience is how long a method retries if the database is busy or down, or if the
	// connection breaks. Default: 10 s, chosen because a database restarts in less. A
	// negative value disables retries.
	Patience time.Duration

	claims  atomic.Uint64
	once    sync.Once // for the fields below
	spelled statements
	err     error
}

// Claim implements [idempotency.Store] in one statement. With SQLite a second statement
// reads the state of an id that cannot be claimed. Some claims start [Store.Sweep] in the
// background.
func (s *Store) Claim(ctx context.Context, r idempotency.Request) (got idempotency.Claim, err error) {
	text, err := s.statements()
	if err != nil {
		return got, err
	}
	age := s.maxAge()
	args := []any{
		r.ID, r.Fingerprint, r.Owner, r.Call, r.Attempt, r.Rerun, r.Lease.Milliseconds(),
		(r.Lease + age + age/8).Milliseconds(),
	}
	err = s.try(ctx, func(ctx context.Context) (err error) {
		for _, statement := range text.claim {
			if got, err = s.claim(ctx, statement, args); err != nil || got.State != "" {
				return err
			}
		}
		return errMoved
	})
	if err != nil {
		return idempotency.Claim{}, fmt.Errorf("sqlstore: claim: %w", err)
	}
	if s.claims.Add(1)%sweepEvery == 0 {
		go s.sweepOnce(context.WithoutCancel(ctx))
	}
	return got, nil
}

// claim runs a statement that returns a claim, or no row. It reads all rows,
// because SQLite commits at the end, and may fail then.
func (s *Store) claim(ctx context.Context, statement string, args []any) (got idempotency.Claim, err error) {
	rows, err := s.DB.QueryContext(ctx, statement, args...)
	if err != nil {
		return got, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := rows.Scan(&got.State, &got.Answer, &got.Effect); err != nil {
			return got, err
		}
	}
	return got, rows.Err()
}

// Renew implements [idempotency.Store], in one statement.
func (s *Store) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	return s.update(ctx, "renew", id, owner, lease.Milliseconds(), s.maxAge().Milliseconds())
}

// Finish implements [idempotency.Store], in one statement.
func (s *Store) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	if most := cmp.Or(s.MaxAnswer, defaultMaxAnswer); most >= 0 && len(end.Answer) > most {
		return fmt.Errorf("sqlstore: finish: the answer has %d bytes, Store.MaxAnswer is %d", len(end.Answer), most)
	}
	answer := end.Answer
	if len(answer) == 0 {
		answer = nil // NULL
	}
	return s.update(ctx, "finish", id, owner, string(end.Effect), answer, s.maxAge().Milliseconds())
}

// update runs a statement that changes an owner's row.
func (s *Store) update(ctx context.Context, what string, args ...any) error {
	changed, err := s.exec(ctx, what, args...)
	if err == nil && changed == 0 {
		return idempotency.ErrLost
	}
	return err
}

// exec runs a statement, and returns how many rows it has changed.
func (s *Store) exec(ctx context.Context, what string, args ...any) (changed int64, err error) {
	text, err := s.statements()
	if err != nil {
		return 0, err
	}
	err = s.try(ctx, func(ctx context.Context) error {
		done, err := s.DB.ExecContext(ctx, text.changes[what], args...)
		if err == nil {
			changed, err = done.RowsAffected()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %s: %w", what, err)
	}
	return changed, nil
}

// forever is the [Store.MaxAge] of a negative value. Chosen: a century in milliseconds
// fits in 64 bits with room to spare.
const forever = 100 * 365 * 24 * time.Hour

func (s *Store) maxAge() time.Duration {
	if s.MaxAge < 0 {
		return forever
	}
	return cmp.Or(s.MaxAge, defaultMaxAge)
}
