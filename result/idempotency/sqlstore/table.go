package sqlstore

import (
	"context"
	"time"
)

const (
	// sweepBatch is the maximum number of rows that a sweep deletes. Chosen: the statement
	// takes a few milliseconds.
	sweepBatch = 200
	// sweepEvery is the number of claims between sweeps. Chosen: two rows are deleted for
	// each new one.
	sweepEvery = 100
	// sweepTime is the timeout of a background sweep. Chosen: far more than a sweep needs.
	sweepTime = 5 * time.Second
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

// sweepOnce runs Sweep in the background. The next sweep makes up for a failed one.
func (s *Store) sweepOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	_, _ = s.Sweep(ctx)
}
