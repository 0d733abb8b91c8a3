package ledger

import (
	"errors"
	"slices"
	"sync"
)

// A Booking records what a tool call did. If a call was not executed, its caller repeats it in a
// new round.
type Booking struct {
	Tool  string `json:"tool"`
	Order string `json:"order"`
	Round int    `json:"round,omitempty"`
	Key   string `json:"key,omitempty"`
}

// ErrRoundClosed is what [Book.Add] returns for a booking in a closed round.
var ErrRoundClosed = errors.New("ledger: the round is closed")

// A Book stores bookings. The zero value is empty and ready to use. It is safe for concurrent use.
type Book struct {
	mu     sync.Mutex
	of     map[string][]Booking
	keys   map[string]bool
	closed map[string]int // number of closed rounds, by order
	late   int
}

// Add adds a booking. If the tool's key was used before, it ignores the booking.
func (b *Book) Add(n Booking) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := n.Tool + " " + n.Key
	switch {
	case n.Key != "" && b.keys[key]:
		return nil
	case n.Round < b.closed[n.Order]:
		b.late++
		return ErrRoundClosed
	}
	if b.of == nil {
		b.of, b.keys = map[string][]Booking{}, map[string]bool{}
	}
	b.of[n.Order] = append(b.of[n.Order], n)
	b.keys[key] = true
	return nil
}

// CloseRound returns the bookings of an order, and closes its rounds up to this one: from then on,
// the book rejects bookings in them.
func (b *Book) CloseRound(order string, round int) []Booking {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed == nil {
		b.closed = map[string]int{}
	}
	b.closed[order] = max(b.closed[order], round+1)
	return slices.Clone(b.of[order])
}

// Of returns the bookings of an order.
func (b *Book) Of(order string) []Booking {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.of[order])
}

// Late returns how many bookings were rejected because their round was closed.
func (b *Book) Late() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.late
}
