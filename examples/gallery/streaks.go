package main

import (
	"crypto/sha256"
	"sync"
	"time"
)

const (
	maxStreaks = 1000
	// A failure that is this much later than the last one starts a new streak.
	forgetStreak = 10 * time.Minute
)

// streaks counts consecutive failures, by caller and arguments: a call that fails for one caller
// may succeed for another. If there are more than maxStreaks, it forgets the oldest. The zero value
// is ready to use. It is safe for concurrent use.
type streaks struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]streak
}

type streak struct {
	failures int
	last     time.Time
}

// failed counts a failure, and returns the number of failures in a row.
func (s *streaks) failed(of string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, id := time.Now(), sha256.Sum256([]byte(of))
	old, ok := s.known[id]
	switch {
	case s.known == nil:
		s.known = map[[sha256.Size]byte]streak{}
	case !ok && len(s.known) >= maxStreaks:
		s.forgetOldest()
	case now.Sub(old.last) >= forgetStreak:
		old.failures = 0
	}
	s.known[id] = streak{old.failures + 1, now}
	return old.failures + 1
}

// succeeded ends a streak.
func (s *streaks) succeeded(of string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, sha256.Sum256([]byte(of)))
}

func (s *streaks) forgetOldest() {
	var oldest [sha256.Size]byte
	var at time.Time
	for id, k := range s.known {
		if at.IsZero() || k.last.Before(at) {
			oldest, at = id, k.last
		}
	}
	delete(s.known, oldest)
}
