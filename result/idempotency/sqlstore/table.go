package sqlstore

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// sweepBatch is how many rows a sweep deletes at most. Chosen: a statement of a few
	// milliseconds, that nobody waits for.
	sweepBatch = 200
	// sweepEvery is after how many claims a process sweeps. Chosen: two rows go for each
	// that comes.
	sweepEvery = 100
	// sweepTime bounds a sweep in the background. Chosen: it is long done, or in the way.
	sweepTime = 5 * time.Second
)

// allTexts are the statements that were made: see [Store.texts].
var allTexts sync.Map

type textsKey struct {
	dialect Dialect
	table   string
}

// CreateTable makes the table and its index if they are not there. Each process may call it
// when it starts, also at the same time as others. It needs the right to create tables only
// if the table is not there.
func (s *Store) CreateTable(ctx context.Context) error {
	text, err := s.texts()
	if err != nil {
		return err
	}
	err = s.try(ctx, func(ctx context.Context) error {
		if rows, err := s.DB.QueryContext(ctx, text.exists); err == nil {
			err = rows.Close()
			return err
		}
		tx, err := s.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		statements := text.create
		if text.lock != "" {
			statements = append([]string{text.lock}, statements...)
		}
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
	if err != nil {
		return fmt.Errorf("sqlstore: create table: %w", err)
	}
	return nil
}

// Sweep deletes up to 200 rows that are too old, and returns how many. Claim does it now and
// then; a program that wants to make room calls it until it returns 0.
func (s *Store) Sweep(ctx context.Context) (deleted int, err error) {
	text, err := s.texts()
	if err != nil {
		return 0, err
	}
	var n int64
	err = s.try(ctx, func(ctx context.Context) error {
		done, err := s.DB.ExecContext(ctx, text.sweep)
		if err == nil {
			n, err = done.RowsAffected()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sqlstore: sweep: %w", err)
	}
	return int(n), nil
}

// sweepOnce is Sweep in the background. What it fails at the next one does.
func (s *Store) sweepOnce(ctx context.Context) {
	defer s.sweeping.Store(false)
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	_, _ = s.Sweep(ctx)
}
