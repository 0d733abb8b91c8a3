// Package faults is an upstream service that fails as it is told to, so that a test
// sees what a server makes of it. An [Injector] comes before the service: as the
// transport of the server's HTTP client, or as a service of its own on loopback.
//
//	upstream := &faults.Injector{Script: []faults.Fault{faults.TooManyRequests, faults.Stall}}
//	orders := newOrders(&http.Client{Transport: upstream})
//	// The first call is throttled, the second is not answered, all others pass.
//
// It imports the standard library only.
//
// # What is carried out
//
// [None], [ResetAfter] and [HalfBody] reach the service: what they lose is its
// reply. No other fault does, so that the service's own books say which of the
// failed requests were carried out.
package faults

import (
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A Fault is how an HTTP service fails at one request.
type Fault string

// The faults.
const (
	// None is no fault: the request is answered.
	None Fault = "none"
	// Stall is no answer until the caller gives up, or [Injector.MaxStall] is over.
	Stall Fault = "stall"
	// ResetBefore breaks the connection before the request's body is read: nothing can
	// have happened.
	ResetBefore Fault = "reset_before"
	// ResetAfter breaks it after the request was carried out: the reply is lost.
	ResetAfter Fault = "reset_after"
	// TooManyRequests is status 429.
	TooManyRequests Fault = "429"
	// InternalError is status 500.
	InternalError Fault = "500"
	// Unavailable is status 503.
	Unavailable Fault = "503"
	// HalfBody is an answer that breaks off in the middle.
	HalfBody Fault = "half_body"
	// Garbage is an answer that is not what it says it is.
	Garbage Fault = "garbage"
)

// An Injector makes the upstream of a server fail: as the [http.RoundTripper] of the
// server's client, or as a service, made by [Injector.Serve]. First come the faults
// of Script, one for each request, then what Chance says. The zero value lets
// everything pass. It is safe for concurrent use, and must not be changed or copied
// after its first use.
type Injector struct {
	// Script has the faults of the first requests, in their order.
	Script []Fault
	// Chance has the probability of each fault after that, from 0 to 1; what is left
	// to 1 is None. If nil, no fault comes after those of Script.
	Chance map[Fault]float64
	// Seed chooses the sequence: the same seed gives the same faults, in the order in
	// which the requests come.
	Seed uint64
	// RetryAfter is the Retry-After of statuses 429 and 503, in whole seconds, rounded
	// up. Zero, the default, and negative values are none.
	RetryAfter time.Duration
	// MaxStall limits Stall, which then ends like ResetAfter, without the request being
	// carried out. Zero is 30 s, chosen to be longer than a server should wait for its
	// upstream; a negative value is no limit.
	MaxStall time.Duration
	// Base carries the requests of RoundTrip. If nil, it is http.DefaultTransport.
	Base http.RoundTripper

	mu     sync.Mutex
	random *rand.Rand
	drawn  []Fault
}

// Drawn returns the faults of all requests so far, in their order.
func (i *Injector) Drawn() []Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.drawn)
}

// next draws the fault of the next request.
func (i *Injector) next() Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	fault := None
	if n := len(i.drawn); n < len(i.Script) {
		fault = i.Script[n]
	} else if len(i.Chance) > 0 {
		fault = i.byChance()
	}
	i.drawn = append(i.drawn, fault)
	return fault
}

// byChance draws a fault by its probability.
func (i *Injector) byChance() Fault {
	if i.random == nil {
		i.random = rand.New(rand.NewPCG(i.Seed, 0))
	}
	at := i.random.Float64()
	for _, fault := range slices.Sorted(maps.Keys(i.Chance)) { // maps have no order
		if at < i.Chance[fault] {
			return fault
		}
		at -= i.Chance[fault]
	}
	return None
}

// stall waits until the caller gives up, the test ends, or MaxStall is over.
func (i *Injector) stall(ctx context.Context, testEnded <-chan struct{}) {
	limit := cmp.Or(i.MaxStall, 30*time.Second)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	select {
	case <-ctx.Done():
	case <-testEnded:
	}
}

// replies are the faults that are a reply in place of the service's own.
var replies = map[Fault]struct {
	status int
	body   string
}{
	TooManyRequests: {http.StatusTooManyRequests, `{"error":"too many requests"}`},
	InternalError:   {http.StatusInternalServerError, `{"error":"internal error"}`},
	Unavailable:     {http.StatusServiceUnavailable, `{"error":"unavailable"}`},
	Garbage:         {http.StatusOK, "\x1f\x8b\x00<!DOCTYPE html>{\"]\xff"},
}

// reply writes the reply that a fault is, and reports whether it is one.
func (i *Injector) reply(w http.ResponseWriter, fault Fault) bool {
	r, ok := replies[fault]
	if !ok {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(r.body)))
	if i.RetryAfter > 0 && (fault == TooManyRequests || fault == Unavailable) {
		w.Header().Set("Retry-After", strconv.FormatFloat(math.Ceil(i.RetryAfter.Seconds()), 'f', 0, 64))
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.body)
	return true
}

// atLeastTwo makes a body one that can be cut in two.
func atLeastTwo(body []byte) []byte {
	if len(body) < 2 {
		return []byte("{}")
	}
	return body
}
