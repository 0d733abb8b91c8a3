package desk

import (
	"fmt"
	"net/http"
	"sync"
)

// A gateway is the payment gateway, with its book of refunds.
type gateway struct {
	*service

	mu   sync.Mutex
	book []refund
}

type refund struct {
	ID      string  `json:"refund_id"`
	OrderID string  `json:"order_id"`
	Amount  float64 `json:"amount"`
	Key     string  `json:"idempotency_key,omitempty"`
}

func startGateway() (*gateway, error) {
	g := new(gateway)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /refunds", func(w http.ResponseWriter, r *http.Request) {
		var ask refund
		if !read(w, r, &ask) {
			return
		}
		booked, ok := g.record(ask)
		if !ok {
			http.Error(w, "the key was used for another refund", http.StatusConflict)
			return
		}
		reply(w, booked)
	})
	var err error
	g.service, err = startService(mux)
	return g, err
}

// record books a refund, unless the same refund with the same key is already in the book. It
// refuses a key that was used for another refund.
func (g *gateway) record(ask refund) (booked refund, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, known := range g.book {
		if ask.Key != "" && known.Key == ask.Key {
			return known, known.OrderID == ask.OrderID && known.Amount == ask.Amount
		}
	}
	ask.ID = fmt.Sprintf("REF-%d", len(g.book)+1)
	g.book = append(g.book, ask)
	return ask, true
}

// booked returns how many refunds of the order are in the book, and empties the book.
func (g *gateway) booked(orderID string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, r := range g.book {
		if r.OrderID == orderID {
			n++
		}
	}
	g.book = nil
	return n
}
