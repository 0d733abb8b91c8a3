package main

import (
	"context"
	"net"
	"net/http"
	"time"
)

// openDesk starts a desk's services, on loopback. Their host names are fixed, so errors contain no
// port.
func openDesk() (d *desk, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parcels", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	mux.HandleFunc("POST /bookings", func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler) // it is booked, and the connection breaks
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	transport := &http.Transport{
		DisableKeepAlives: true, // a request on a reused connection that breaks may be repeated
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, network, listener.Addr().String())
		},
	}
	d = &desk{client: &http.Client{Transport: transport, Timeout: 5 * time.Second}}
	return d, func() { _ = server.Close() }, nil
}
