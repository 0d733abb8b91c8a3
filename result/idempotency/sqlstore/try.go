package sqlstore

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The pause between tries doubles. The first is chosen to be about as long as a transaction; with
// the last, each call makes four tries a second.
const (
	firstPause = 4 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// tries is the minimum number of tries without a response, chosen so one uses a new connection.
const tries = 3

// errMoved reports that the row has changed during a claim, which is then retried.
var errMoved = errors.New("the row has changed in between")

// do calls try with the store's statements, and adds the operation to an error.
func (s *Store) do(ctx context.Context, what string, do func(context.Context, *statements) error) error {
	if s.once.Do(func() { s.spelled, s.err = s.spell() }); s.err != nil {
		return s.err
	}
	if err := s.try(ctx, func(ctx context.Context) error { return do(ctx, &s.spelled) }); err != nil {
		if isTemporary(err) {
			away := toolerr.Unavailable("The database of idempotency keys is not available.", time.Second).WithEffect("").
				WithCause(err)
			return fmt.Errorf("sqlstore: %s: %w (%s)", what, away, err.Error()) // the log has this text
		}
		return fmt.Errorf("sqlstore: %s: %w", what, err)
	}
	return nil
}

// try calls do until it succeeds or fails permanently, or until Patience or the context ends. A
// statement may run more than once, but its effect is that of one run.
func (s *Store) try(ctx context.Context, do func(context.Context) error) (err error) {
	patience := cmp.Or(s.Patience, defaultPatience)
	if patience < 0 {
		return do(ctx)
	}
	end := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		once, cancel := context.WithTimeout(ctx, min(patience/tries, time.Until(end)))
		tried, late := do(once), once.Err() != nil
		cancel()
		if tried == nil || !late || err == nil { // a late try does not replace an earlier error
			err = tried
		}
		wait := pause/2 + rand.N(pause)
		if tried == nil || ctx.Err() != nil || time.Until(end) <= wait || !late && !isTemporary(tried) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// isTemporary reports whether the same statement may succeed soon.
func isTemporary(err error) bool {
	switch {
	case errors.Is(err, idempotency.ErrFull):
		return false
	case errors.Is(err, errMoved), errors.Is(err, driver.ErrBadConn):
		return true
	}
	e := toolerr.From(err)
	isReadOnly := e.Code == toolerr.CodeFailedPrecondition // a replica, until it takes over
	return isReadOnly || e.Category == toolerr.CategoryTransient && e.Code != toolerr.CodeInternal &&
		e.Code != toolerr.CodeCanceled
}
