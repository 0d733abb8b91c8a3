package desk

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// upstreams are the services that the MCP server uses.
type upstreams struct {
	orders   *service
	payments *gateway
}

func startUpstreams() (*upstreams, error) {
	orders, err := startOrders()
	if err != nil {
		return nil, err
	}
	payments, err := startGateway()
	if err != nil {
		orders.close()
		return nil, err
	}
	return &upstreams{orders, payments}, nil
}

func (u *upstreams) close() {
	u.orders.close()
	u.payments.close()
}

// A service is an HTTP service on loopback that misbehaves on command.
type service struct {
	URL string

	server *http.Server
	mu     sync.Mutex
	faults []fault     // of the next requests, first come first served
	served []time.Time // when each request arrived
}

// startService starts a service with this handler.
func startService(work http.Handler) (*service, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on loopback: %w", err)
	}
	s := &service{URL: "http://" + listener.Addr().String()}
	s.server = &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(work, w, r) }),
	}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *service) close() { _ = s.server.Close() }

// misbehave sets the faults of the next requests, one for each, and forgets the earlier requests.
func (s *service) misbehave(faults ...fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.served = faults, nil
}

// requests returns the times when the requests since misbehave arrived.
func (s *service) requests() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

func (s *service) serve(work http.Handler, w http.ResponseWriter, r *http.Request) {
	switch s.next(r) {
	case stall:
		_, _ = io.Copy(io.Discard, r.Body) // net/http notices that the caller has gone only after that
		stalled(w)
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
		work.ServeHTTP(nowhere{}, r)
		breakConnection(w)
	case none, panics: // a panic is the tool's
		work.ServeHTTP(w, r)
	}
}

// stalled is called with the response when a service begins to wait for its caller to leave. Tests
// use it to end the caller's wait.
var stalled = func(http.ResponseWriter) {}

// next records a request and returns its fault.
func (s *service) next(r *http.Request) fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served = append(s.served, time.Now())
	if f := r.Header.Get(faultHeader); f != "" {
		return fault(f)
	}
	if len(s.faults) == 0 {
		return none
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f
}

// nowhere discards a reply.
type nowhere struct{}

// Header implements [http.ResponseWriter].
func (nowhere) Header() http.Header { return http.Header{} }

// Write implements [http.ResponseWriter].
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader implements [http.ResponseWriter].
func (nowhere) WriteHeader(int) {}

// breakConnection closes the response's connection with a TCP reset.
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

// read decodes the JSON body of a request. If that fails, it answers the request and returns false.
func read(w http.ResponseWriter, r *http.Request, ask any) (ok bool) {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(ask); err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return false
	}
	return true
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
