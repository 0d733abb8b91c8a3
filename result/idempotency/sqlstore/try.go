package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The pauses between tries double. Chosen: the first is as long as a transaction of
// others, and at the last a database is asked four times a second by each call.
const (
	firstPause = 4 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// tries is how many are made at least, of a database that does not answer at all. Chosen:
// one of them is on a new connection.
const tries = 3

// errMoved is why a claim is tried again that has found the row in the hands of others, and
// then no longer.
var errMoved = errors.New("the row has changed in between")

// try calls do until it succeeds, or fails for good, or patience or context end. It may be
// carried out more than once: each of the statements changes nothing the second time.
func (s *Store) try(ctx context.Context, do func(context.Context) error) error {
	patience := s.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	if patience < 0 {
		return do(ctx)
	}
	whole, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		once, cancel := context.WithTimeout(whole, patience/tries)
		err := do(once)
		late := once.Err() != nil
		cancel()
		if err == nil || whole.Err() != nil || !late && !isTemporary(err) {
			return err
		}
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-timer.C:
		case <-whole.Done():
			timer.Stop()
			return err
		}
	}
}

// isTemporary reports whether the database may take the same statement soon.
func isTemporary(err error) bool {
	if errors.Is(err, errMoved) || errors.Is(err, driver.ErrBadConn) {
		return true
	}
	e := toolerr.From(err)
	return e.Category == toolerr.CategoryTransient && e.Code != toolerr.CodeInternal && e.Code != toolerr.CodeCanceled
}
