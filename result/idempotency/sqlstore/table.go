package sqlstore

import (
	"cmp"
	"context"
	"time"
)

const (
	// sweepBatch is the maximum number of rows that a sweep deletes. Chosen: the statement
	// takes a few milliseconds.
	sweepBatch = 200
	// sweepEvery is the number of claims between sweeps and counts. Chosen: two rows are deleted
	// for each new one.
	sweepEvery = 100
	// sweepTime is the timeout of a background sweep. Chosen: far more than a sweep needs.
	sweepTime = 5 * time.Second
	// fullFor is the time between counts of a full principal. Chosen: a count takes a tenth of a second.
	fullFor = time.Minute
)

// CreateTable creates the table and its index if they do not exist. Every process may call
// it at startup, concurrently. It needs the privilege to create tables only if the table
// does not exist.
func (s *Store) CreateTable(ctx context.Context) error {
	return s.do(ctx, "create table", func(ctx context.Context, text *statements) error {
		if _, err := s.DB.ExecContext(ctx, text.exists); err == nil {
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

// Sweep deletes up to 200 expired rows, and returns how many. Claim calls it regularly. To
// free space now, call it until it returns 0.
func (s *Store) Sweep(ctx context.Context) (deleted int, err error) {
	n, err := s.exec(ctx, "sweep")
	return int(n), err
}

// tend sweeps and counts in the background, for some claims, and reports whether the principal
// of this one had too many calls shortly before. The next sweep makes up for a failed one.
func (s *Store) tend(ctx context.Context, principal string) (isFull bool) {
	at, wasFull := s.full.Load(principal)
	if since, _ := at.(time.Time); wasFull && time.Since(since) < fullFor {
		return true
	}
	wasFull = s.full.CompareAndDelete(principal, at) // only one of several claims counts
	if s.claims.Add(1)%sweepEvery == 0 || wasFull {
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepTime)
			defer cancel()
			_, _ = s.Sweep(ctx)
			_ = s.do(ctx, "count", func(ctx context.Context, text *statements) error {
				n := 0
				if _, err := s.run(ctx, text.count, []any{principal}, &n); err == nil && 0 < n && n == cmp.Or(s.MaxCalls, defaultMaxCalls) {
					s.full.Store(principal, time.Now())
				}
				return nil
			})
		}()
	}
	return false
}
