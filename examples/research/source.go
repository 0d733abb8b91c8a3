package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A source is an HTTP service on loopback that searches a collection and answers in pages.
type source struct {
	URL string

	entries  []entry
	trouble  trouble
	listener net.Listener
	server   *http.Server

	mu     sync.Mutex
	served int       // requests that were answered with a page, since the last pause
	count  int       // requests
	closed time.Time // until then every request is turned away
}

// A page is one part of the results.
type page struct {
	Total   int     `json:"total"`
	Entries []entry `json:"entries"`
}

// A trouble may answer a request instead of the source, and reports whether it did.
type trouble func(*source, http.ResponseWriter, *http.Request) bool

// troubles maps each source to its trouble. All are real: the service stalls, refuses, or closes.
var troubles = map[string]trouble{
	"papers":  slowStart,
	"rfcs":    threePages,
	"archive": lastPage,
}

// startSource starts a service that searches the named collection.
func startSource(name string) (*source, error) {
	entries, err := load(name)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on loopback: %w", err)
	}
	s := &source{URL: "http://" + listener.Addr().String(), entries: entries, trouble: troubles[name], listener: listener}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *source) close() { _ = s.server.Close() }

// ServeHTTP implements [http.Handler].
func (s *source) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.count++
	s.mu.Unlock()
	if s.trouble != nil && s.trouble(s, w, r) {
		return
	}
	query := r.URL.Query()
	from, _ := strconv.Atoi(query.Get("from")) // 0 is the first one too
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 {
		http.Error(w, "limit is a number from 1", http.StatusBadRequest)
		return
	}
	found := matching(s.entries, query.Get("query"))
	first := min(max(from-1, 0), len(found))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page{Total: len(found), Entries: found[first:min(first+limit, len(found))]})
}

// slowStart stalls the first request and answers 503 to the second. Later ones succeed.
func slowStart(s *source, w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	n := s.count
	s.mu.Unlock()
	switch n {
	case 1:
		<-r.Context().Done() // the caller has gone
	case 2:
		http.Error(w, "starting", http.StatusServiceUnavailable)
	default:
		return false
	}
	return true
}

// pause is the wait that the source of the RFCs asks for after three pages.
const pause = 200 * time.Millisecond

// threePages lets three requests through, and then tells the caller how long to wait.
func threePages(s *source, w http.ResponseWriter, _ *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case now.Before(s.closed):
	case s.served < 3:
		s.served++
		return false
	default:
		s.closed, s.served = now.Add(pause), 0
	}
	wait := (s.closed.Sub(now) + time.Millisecond - 1).Milliseconds()
	w.Header().Set("Retry-After-Ms", strconv.FormatInt(wait, 10))
	http.Error(w, "three pages at a time", http.StatusTooManyRequests)
	return true
}

// lastPage lets one request through, and closes the service to later ones.
func lastPage(s *source, w http.ResponseWriter, _ *http.Request) bool {
	_ = s.listener.Close()
	w.Header().Set("Connection", "close")
	return false
}
