package sqlstore

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// sweepBatch is the maximum number of rows per sweep, chosen so that it takes milliseconds.
	sweepBatch = 200
	// A store first sweeps firstSweep after its first claim, and every sweepPause while there is
	// more to delete. The pause is chosen because a server adds fewer than 2,000 rows a second.
	firstSweep, sweepPause = time.Second, 100 * time.Millisecond
	// countEvery is the average number of claims between counts of a principal's calls, chosen so
	// that a principal barely exceeds Store.MaxCalls; a count costs as much as fifty claims.
	countEvery = 100
	// tendTime is the timeout of a sweep or count, chosen to be far more than either needs.
	tendTime = 5 * time.Second
	// fullFor is the time between counts for a full principal, chosen to be far longer than one.
	fullFor = time.Minute
)

// CreateTable creates the table and its indexes if the table does not exist. Every process may call it
// at startup, concurrently. It needs the privilege to create tables only if the table does not exist.
func (s *Store) CreateTable(ctx context.Context) error {
	return s.do(ctx, "create table", func(ctx context.Context, text *statements) error {
		if _, err := s.DB.ExecContext(ctx, text.exists); err == nil {
			_, _ = s.run(ctx, text.changes["sweep"], nil) // for processes that end soon
			return nil
		}
		tx, err := s.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		for _, statement := range text.create {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
}

// Sweep deletes up to 200 expired rows, and returns their number. After its first claim, a Store
// sweeps by itself until DB is closed. To free space now, call it until it returns 0.
func (s *Store) Sweep(ctx context.Context) (deleted int, err error) {
	n, err := s.exec(ctx, "sweep")
	return int(n), err
}

// sweepAfter sweeps after a pause, and then repeatedly until DB is closed.
func (s *Store) sweepAfter(pause time.Duration) {
	time.AfterFunc(pause, func() {
		ctx, cancel := context.WithTimeout(context.Background(), tendTime)
		defer cancel()
		switch n, err := s.Sweep(ctx); {
		case n == sweepBatch:
			s.sweepAfter(sweepPause)
		case err == nil || !strings.HasSuffix(err.Error(), "database is closed"):
			s.sweepAfter(max(min(s.maxAge()/8, time.Hour), firstSweep))
		}
	})
}

// Resolve implements [idempotency.Resolver].
func (s *Store) Resolve(ctx context.Context, id string, effect toolerr.Effect) error {
	return s.update(ctx, "resolve", id, string(effect), s.maxAge().Milliseconds())
}

// tend sometimes counts the principal's calls in the background. It reports whether a count in the
// last minute found too many.
func (s *Store) tend(ctx context.Context, principal string) (isFull bool) {
	at, wasFull := s.full.Load(principal)
	if since, _ := at.(time.Time); wasFull && time.Since(since) < fullFor {
		return true
	}
	wasFull = s.full.CompareAndDelete(principal, at) // only one of several concurrent claims counts
	s.sweeping.Do(func() { s.sweepAfter(firstSweep) })
	if rand.N(countEvery) == 0 || wasFull { // by chance, so that no principal can avoid it
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tendTime)
			defer cancel()
			_ = s.do(ctx, "count", func(ctx context.Context, text *statements) error {
				n := 0
				if _, err := s.run(ctx, text.count, []any{principal}, &n); err == nil && 0 < n &&
					n == cmp.Or(s.MaxCalls, defaultMaxCalls) {
					s.full.Store(principal, time.Now())
				}
				return nil
			})
		}()
	}
	return false
}
