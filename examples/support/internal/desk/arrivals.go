package desk

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// arrivals holds the open connections of a service, numbered in the order of arrival. A tool's
// request has its own connection, so no earlier request is in progress once all earlier connections
// have ended.
type arrivals struct {
	mu   sync.Mutex
	last int
	open map[net.Conn]arrival
}

type arrival struct {
	number int
	over   chan struct{}
}

type arrivalKey struct{}

// come is an [http.Server.ConnContext]: the server calls it for one connection at a time.
func (a *arrivals) come(ctx context.Context, c net.Conn) context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = map[net.Conn]arrival{}
	}
	a.last++
	a.open[c] = arrival{a.last, make(chan struct{})}
	return context.WithValue(ctx, arrivalKey{}, a.last)
}

// gone is an [http.Server.ConnState]. A connection ends when its handler has returned, not when its
// client disconnects.
func (a *arrivals) gone(c net.Conn, state http.ConnState) {
	if state != http.StateClosed && state != http.StateHijacked {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.open[c]; ok {
		close(known.over)
		delete(a.open, c)
	}
}

// before waits until all connections that arrived before r's have ended.
func (a *arrivals) before(r *http.Request) error {
	own, _ := r.Context().Value(arrivalKey{}).(int)
	a.mu.Lock()
	var earlier []arrival
	for _, known := range a.open {
		if known.number < own {
			earlier = append(earlier, known)
		}
	}
	a.mu.Unlock()
	for _, known := range earlier {
		select {
		case <-known.over:
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}
	return nil
}
