// Package faults injects faults into the HTTP services behind an MCP server, to test how the
// server handles them. An [Injector] is the transport of the server's HTTP client, or an
// HTTP server on loopback in front of a handler:
//
//	upstream := &faults.Injector{Script: []faults.Fault{faults.TooManyRequests, faults.Stall}}
//	orders := newOrders(&http.Client{Transport: upstream})
//	// The first request is throttled, the second is not answered, all others pass.
//
// The package imports only the standard library.
//
// # Which requests reach the service
//
// Requests with [None], [ResetAfter] and [HalfBody] reach the service; with ResetAfter the reply is
// lost, and with HalfBody half of it. Requests with any other fault do not reach it. The service's
// own data therefore shows which of the failed requests were executed.
package faults

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A Fault is a way for an HTTP request to fail.
type Fault string

// The faults.
const (
	// None means no fault: the request is answered.
	None Fault = "none"
	// Stall sends no response until the request is canceled or [Injector.MaxStall] has passed.
	Stall Fault = "stall"
	// ResetBefore resets the connection before the request's body is read. The request has no effect.
	ResetBefore Fault = "reset_before"
	// ResetAfter resets the connection after the request was executed. The reply is lost.
	ResetAfter Fault = "reset_after"
	// TooManyRequests is status 429.
	TooManyRequests Fault = "429"
	// InternalError is status 500.
	InternalError Fault = "500"
	// Unavailable is status 503.
	Unavailable Fault = "503"
	// HalfBody is a response whose body is cut in half.
	HalfBody Fault = "half_body"
	// Garbage is status 200 with a body that is not JSON, contrary to its Content-Type.
	Garbage Fault = "garbage"
)

// An Injector injects faults into requests, as the [http.RoundTripper] of a server's HTTP client,
// or as a service started by [Injector.Serve]. The zero value lets all requests pass. It is safe
// for concurrent use. Do not change or copy it after its first use.
type Injector struct {
	// Script holds the faults of the first requests in order. All later requests pass. For a random
	// sequence, generate the script at random.
	Script []Fault
	// RetryAfter is the Retry-After header of statuses 429 and 503, in whole seconds,
	// rounded up. Zero, the default, and negative values mean no header.
	RetryAfter time.Duration
	// MaxStall is the maximum duration of Stall. After that the connection is reset, and the
	// request is not executed. Zero means 30 s, chosen to be longer than a server should wait for
	// its upstream; a negative value means no limit.
	MaxStall time.Duration
	// Base sends the requests of RoundTrip. If nil, http.DefaultTransport is used.
	Base http.RoundTripper

	mu    sync.Mutex
	drawn []Fault
}

// Drawn returns the faults of all requests so far, in order.
func (i *Injector) Drawn() []Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.drawn)
}

// next returns the fault for the next request.
func (i *Injector) next() Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	fault := None
	if n := len(i.drawn); n < len(i.Script) {
		fault = i.Script[n]
	}
	i.drawn = append(i.drawn, fault)
	return fault
}

// stall waits until the request's context ends, the test ends, or MaxStall has passed.
func (i *Injector) stall(ctx context.Context, testEnded <-chan struct{}) {
	var late <-chan time.Time
	if limit := cmp.Or(i.MaxStall, 30*time.Second); limit > 0 {
		late = time.After(limit)
	}
	select {
	case <-late:
	case <-ctx.Done():
	case <-testEnded:
	}
}

// replies holds the replies that some faults send instead of the service's.
var replies = map[Fault]struct {
	status int
	body   string
}{
	TooManyRequests: {http.StatusTooManyRequests, `{"error":"too many requests"}`},
	InternalError:   {http.StatusInternalServerError, `{"error":"internal error"}`},
	Unavailable:     {http.StatusServiceUnavailable, `{"error":"unavailable"}`},
	Garbage:         {http.StatusOK, "\x1f\x8b\x00<!DOCTYPE html>{\"]\xff"},
}
