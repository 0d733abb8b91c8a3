package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// The defaults of [Store], chosen as its documentation explains.
const (
	defaultTable     = "idempotency_keys"
	defaultMaxAge    = 24 * time.Hour
	defaultMaxAnswer = 1 << 20
	defaultMaxCalls  = 1_000_000
	defaultPatience  = 10 * time.Second
)

// A Store is an [idempotency.Store] in a database table that many processes may share. Do not copy
// it, and do not change its fields after its first use. It is safe for concurrent use.
type Store struct {
	// DB is the database. The caller closes it. A method uses one connection at a time.
	DB *sql.DB
	// Dialect is the SQL dialect of the database. It is required.
	Dialect Dialect
	// Table is the table's name, optionally with a schema: letters, digits and
	// underscores. Default: idempotency_keys.
	Table string
	// MaxAge is how long a call is remembered after it ends. After that, its key counts as new. A
	// call may be remembered longer, by up to an eighth of MaxAge plus a lease. Default: 24 h,
	// Stripe's minimum. A negative value means forever.
	MaxAge time.Duration
	// MaxAnswer is the maximum size of an answer in bytes. Finish returns an error for a longer
	// one, and package idempotency then stores only the effect. Default: 1 MiB, chosen as more than
	// any model reads. A negative value means no limit.
	MaxAnswer int
	// MaxCalls is the approximate maximum of a principal's remembered calls. About one claim in a
	// hundred counts them; if it finds MaxCalls, new ids get [idempotency.ErrFull] for a minute.
	// Default: 1,000,000, chosen to allow ten a second for a day. A negative value means no limit.
	MaxCalls int
	// Patience is how long a method retries if the database is busy, down or read-only, or if the
	// connection breaks. Default: 10 s, chosen because a database restarts in less. A negative
	// value disables retries.
	Patience time.Duration

	full     sync.Map // when a count last found MaxCalls, by principal
	prepared sync.Map // of *sql.Stmt, by text
	sweeping sync.Once
	once     sync.Once // for the fields below
	spelled  statements
	err      error
}

// Claim implements [idempotency.Store]. It reads the row of the id, and writes only if the id can
// be claimed and the row has not changed since. With PostgreSQL one statement reads the row or
// inserts it. Some claims start a count in the background.
func (s *Store) Claim( //nolint:gocognit // two statements and what they have to find
	ctx context.Context, r idempotency.Request,
) (got idempotency.Claim, err error) {
	age := s.maxAge()
	args := []any{
		r.ID, r.Fingerprint, r.Owner, r.Call, r.Attempt, r.Lease.Milliseconds(),
		(r.Lease + age + age/8).Milliseconds(), r.Principal,
	}
	isFull := s.tend(ctx, r.Principal)
	err = s.do(ctx, "claim", func(ctx context.Context, text *statements) error {
		for range 2 { // again if the row has changed in between
			var known idempotency.Record
			var lease, expires, version, now int64
			first := &known.Request
			look, with := text.look, args[:text.lookArgs]
			if isFull {
				look, with = text.read, args[:1]
			}
			_, err := s.run(ctx, look, with,
				&first.Fingerprint, &first.Owner, &first.Call, &first.Attempt, &known.Effect, &known.Answer, &lease, &expires,
				&version, &now)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			known.LeaseEnds = time.UnixMilli(lease)
			current := known
			if expires <= now {
				current = idempotency.Record{}
			}
			earlier := got.Effect // of a try whose connection broke
			got = current.Tell(r, time.UnixMilli(now))
			got.Effect = cmp.Or(got.Effect, earlier)
			isWritten := first.Owner == r.Owner && lease == now+r.Lease.Milliseconds()
			if got.State != idempotency.StateClaimed || isWritten {
				return nil
			}
			write, seen := text.insert, []any(nil)
			if first.Owner != "" {
				write, seen = text.take, []any{first.Owner, version}
			} else if isFull {
				return idempotency.ErrFull
			}
			if changed, err := s.run(ctx, write, slices.Concat(args, seen)); err != nil || changed > 0 {
				return err
			}
		}
		return errMoved
	})
	if err != nil {
		return idempotency.Claim{}, err
	}
	return got, nil
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
	err = s.do(ctx, what, func(ctx context.Context, text *statements) (err error) {
		changed, err = s.run(ctx, text.changes[what], args)
		return err
	})
	return changed, err
}

// run runs a statement. If there are columns, it scans the row into them; otherwise it returns how
// many rows have changed. With PostgreSQL, the driver decides whether statements are prepared,
// because a connection pooler may not allow it.
func (s *Store) run(ctx context.Context, text string, args []any, columns ...any) (changed int64, err error) {
	if s.Dialect == MySQL {
		text, args = inOrder(text, args)
	}
	known, ok := s.prepared.Load(text)
	if !ok && s.Dialect != PostgreSQL {
		made, err := s.DB.PrepareContext(ctx, text)
		if err != nil {
			return 0, err
		}
		known, _ = s.prepared.LoadOrStore(text, made)
	}
	var done sql.Result
	switch prepared, isPrepared := known.(*sql.Stmt); {
	case isPrepared && columns != nil:
		return 0, prepared.QueryRowContext(ctx, args...).Scan(columns...)
	case isPrepared:
		done, err = prepared.ExecContext(ctx, args...)
	case columns != nil:
		return 0, s.DB.QueryRowContext(ctx, text, args...).Scan(columns...)
	default:
		done, err = s.DB.ExecContext(ctx, text, args...)
	}
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

const forever = 100 * 365 * 24 * time.Hour // replaces a negative MaxAge; chosen to fit in 64 bits as milliseconds

func (s *Store) maxAge() time.Duration {
	if s.MaxAge < 0 {
		return forever
	}
	return min(cmp.Or(s.MaxAge, defaultMaxAge), forever)
}
