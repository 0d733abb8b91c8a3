package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

const (
	// defaultTable is [Store.Table].
	defaultTable = "idempotency_keys"
	// defaultMaxAge is [Store.MaxAge]: Stripe's time, at the least.
	defaultMaxAge = 24 * time.Hour
	// defaultMaxAnswer is [Store.MaxAnswer]. Chosen: more than a model reads.
	defaultMaxAnswer = 1 << 20
	// defaultPatience is [Store.Patience]. Chosen: a database restarts in less.
	defaultPatience = 10 * time.Second
)

// A Store is an [idempotency.Store] in a table of a database, which many processes may
// share. Its fields must not be changed after its first use, and it must not be copied. It
// is safe for concurrent use.
type Store struct {
	// DB is the database. It stays the caller's, who closes it. A method takes one
	// connection for as long as a statement takes.
	DB *sql.DB
	// Dialect says of which kind the database is. It must be set.
	Dialect Dialect
	// Table is the table, with its schema if it is in another than the connection's:
	// letters, digits and underscores. Default: idempotency_keys.
	Table string
	// MaxAge is how long a call is remembered, from when it ended; after that its key is as
	// good as new. It may be kept an eighth of it longer. Default: 24 h, for which Stripe
	// keeps its keys at least. A negative value means without end.
	MaxAge time.Duration
	// MaxAnswer bounds the answers, in bytes. Finish returns an error if one is longer, and
	// package idempotency then keeps the effect alone. Default: 1 MiB, chosen as more than a
	// model reads. A negative value means no bound.
	MaxAnswer int
	// Patience is how long a method tries again if the database is busy, has broken the
	// connection, or is away. Default: 10 s, chosen because a database restarts in less. A
	// negative value means not at all.
	Patience time.Duration

	claims   atomic.Uint64
	sweeping atomic.Bool
}

// Claim implements [idempotency.Store], in one statement: with SQLite a second one reads
// what is known of an id that is not claimed. Now and then it starts [Store.Sweep] in the
// background.
func (s *Store) Claim(ctx context.Context, r idempotency.Request) (got idempotency.Claim, err error) {
	text, err := s.texts()
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
	if s.claims.Add(1)%sweepEvery == 0 && s.sweeping.CompareAndSwap(false, true) {
		go s.sweepOnce(context.WithoutCancel(ctx))
	}
	return got, nil
}

// claim runs a statement that returns a state and an answer, or nothing. It reads to the
// end: SQLite commits only then, and may refuse to.
func (s *Store) claim(ctx context.Context, statement string, args []any) (got idempotency.Claim, err error) {
	rows, err := s.DB.QueryContext(ctx, statement, args...)
	if err != nil {
		return got, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var state string
		if err := rows.Scan(&state, &got.Answer); err != nil {
			return got, err
		}
		got.State = idempotency.State(state)
	}
	if got.State != idempotency.StateAnswered {
		got.Answer = nil
	}
	return got, rows.Err()
}

// Renew implements [idempotency.Store], in one statement.
func (s *Store) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	text, err := s.texts()
	if err != nil {
		return err
	}
	return s.update(ctx, "renew", text.renew, id, owner, lease.Milliseconds(), s.maxAge().Milliseconds())
}

// Finish implements [idempotency.Store], in one statement.
func (s *Store) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	text, err := s.texts()
	if err != nil {
		return err
	}
	if most := s.maxAnswer(); most >= 0 && len(end.Answer) > most {
		return fmt.Errorf("sqlstore: finish: the answer has %d bytes, Store.MaxAnswer is %d", len(end.Answer), most)
	}
	answer := end.Answer
	if len(answer) == 0 {
		answer = nil // NULL
	}
	return s.update(ctx, "finish", text.finish, id, owner, string(end.Effect), answer, s.maxAge().Milliseconds())
}

// update runs a statement that changes the row of an owner.
func (s *Store) update(ctx context.Context, what, statement string, args ...any) error {
	var changed int64
	err := s.try(ctx, func(ctx context.Context) error {
		done, err := s.DB.ExecContext(ctx, statement, args...)
		if err == nil {
			changed, err = done.RowsAffected()
		}
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("sqlstore: %s: %w", what, err)
	case changed == 0:
		return idempotency.ErrLost
	}
	return nil
}

// forever is a [Store.MaxAge] without end. Chosen: a century, of which clocks count
// milliseconds in 64 bits with room to spare.
const forever = 100 * 365 * 24 * time.Hour

func (s *Store) maxAge() time.Duration {
	switch {
	case s.MaxAge < 0:
		return forever
	case s.MaxAge == 0:
		return defaultMaxAge
	}
	return s.MaxAge
}

func (s *Store) maxAnswer() int {
	if s.MaxAnswer == 0 {
		return defaultMaxAnswer
	}
	return s.MaxAnswer
}
