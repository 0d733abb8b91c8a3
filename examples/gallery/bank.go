package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// A bank books charges, at most one for each key. As in the test modes of payment providers, the
// card decides what fails: a new charge of card_lost_reply is booked, but its reply is lost;
// card_declined is declined.
type bank struct {
	mu   sync.Mutex
	book []booking
}

type booking struct {
	ChargeID string `json:"charge_id"`
	OrderID  string `json:"order_id"`
	Cents    int    `json:"cents"`
	Card     string `json:"card"`
	Key      string `json:"idempotency_key"`
}

// ServeHTTP implements [http.Handler]: POST /charges, and GET /charges?order_id=.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		answer(w, map[string]any{"charges": b.of(r.URL.Query().Get("order_id"))})
		return
	}
	var ask booking
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&ask); err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}
	switch booked, status := b.record(ask); {
	case status >= http.StatusBadRequest:
		http.Error(w, http.StatusText(status), status)
	case status == http.StatusCreated && ask.Card == "card_lost_reply":
		panic(http.ErrAbortHandler) // breaks the connection
	default:
		answer(w, booked)
	}
}

// record books a charge. If its key is already in the book, record returns the booked charge, or a
// conflict if the two differ.
func (b *bank) record(ask booking) (booked booking, status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, known := range b.book {
		if ask.Key == "" || known.Key != ask.Key {
			continue
		}
		if ask.ChargeID = known.ChargeID; ask != known {
			return booking{}, http.StatusConflict
		}
		return known, http.StatusOK
	}
	if ask.Card == "card_declined" {
		return booking{}, http.StatusPaymentRequired
	}
	ask.ChargeID = fmt.Sprintf("CH-%d", len(b.book)+1)
	b.book = append(b.book, ask)
	return ask, http.StatusCreated
}

func (b *bank) of(order string) []booking {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []booking{}
	for _, known := range b.book {
		if known.OrderID == order {
			found = append(found, known)
		}
	}
	return found
}
