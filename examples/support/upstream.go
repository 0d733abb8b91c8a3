package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// A fault is how a service misbehaves on one request.
type fault string

const (
	stall     fault = "stall"      // says nothing until the caller has gone
	down      fault = "down"       // 503
	throttle  fault = "throttle"   // 429 with Retry-After: 1
	reset     fault = "reset"      // breaks the connection without a word
	deny      fault = "deny"       // 403
	lostReply fault = "lost reply" // does the work, then breaks the connection
)

// A service is an HTTP service on loopback that misbehaves on command.
type service struct {
	URL string

	server *http.Server
	mu     sync.Mutex
	faults []fault     // of the next requests, first come first served
	served []time.Time // when each request arrived
}

func startService(handler func(*service, http.ResponseWriter, *http.Request)) (*service, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on loopback: %w", err)
	}
	s := &service{URL: "http://" + listener.Addr().String()}
	s.server = &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler(s, w, r)
		}),
	}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *service) close() { _ = s.server.Close() }

// misbehave makes the next requests meet these faults, one each.
func (s *service) misbehave(faults ...fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.served = faults, nil
}

// requests returns when the requests since misbehave arrived.
func (s *service) requests() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

// next notes a request and returns its fault. It answers those that need no
// work; done is then true.
func (s *service) next(w http.ResponseWriter, r *http.Request) (f fault, done bool) {
	s.mu.Lock()
	s.served = append(s.served, time.Now())
	if len(s.faults) > 0 {
		f, s.faults = s.faults[0], s.faults[1:]
	}
	s.mu.Unlock()
	switch f {
	case stall:
		<-r.Context().Done()
	case down:
		http.Error(w, "maintenance", http.StatusServiceUnavailable)
	case throttle:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "slow down", http.StatusTooManyRequests)
	case deny:
		http.Error(w, "no access for role support-bot", http.StatusForbidden)
	case reset:
		breakConnection(w)
	case lostReply:
		return f, false
	default:
		return f, false
	}
	return f, true
}

// breakConnection closes the connection under the response, with a TCP reset.
func breakConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// startOrders starts the order service: customers and what they have ordered.
func startOrders() (*service, error) {
	type order struct {
		ID     string  `json:"id"`
		Amount float64 `json:"amount"`
		Age    int     `json:"age_days"`
	}
	customers := map[string][]order{
		"CUS-10001": {{"ORD-7", 40, 12}, {"ORD-8", 650, 30}},
		"CUS-48291": {{"ORD-1", 15, 400}}, // nothing within the last 90 days
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{id}", func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if _, ok := customers[id]; !ok {
			http.NotFound(w, r)
			return
		}
		reply(w, map[string]any{"id": id, "name": "Customer " + id})
	})
	mux.HandleFunc("GET /customers/{id}/orders", func(w http.ResponseWriter, r *http.Request) {
		var days int
		_, _ = fmt.Sscan(r.URL.Query().Get("days"), &days)
		found := []order{}
		for _, o := range customers[r.PathValue("id")] {
			if o.Age <= days {
				found = append(found, o)
			}
		}
		reply(w, map[string]any{"orders": found})
	})
	return startService(func(s *service, w http.ResponseWriter, r *http.Request) {
		if _, done := s.next(w, r); !done {
			mux.ServeHTTP(w, r)
		}
	})
}

// A gateway is the payment gateway and its book.
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
	var err error
	g.service, err = startService(func(s *service, w http.ResponseWriter, r *http.Request) {
		f, done := s.next(w, r)
		if done {
			return
		}
		var ask refund
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&ask); err != nil {
			http.Error(w, "not a refund", http.StatusBadRequest)
			return
		}
		booked, ok := g.record(ask)
		if !ok {
			http.Error(w, "the key was used for another refund", http.StatusConflict)
			return
		}
		if f == lostReply {
			breakConnection(w)
			return
		}
		reply(w, booked)
	})
	return g, err
}

// record books a refund, unless the same one with the same key is in the book. A
// key that was used for another refund is refused.
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

// booked returns how often a refund of the order is in the book, and empties it.
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
