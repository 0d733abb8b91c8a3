package resulttest

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A Fault is how an HTTP service fails at one request.
type Fault string

// The faults.
const (
	// FaultNone is none: the request is answered.
	FaultNone Fault = "none"
	// FaultStall is no answer until the caller gives up, or [Faults.Stall] is over.
	FaultStall Fault = "stall"
	// FaultResetBefore breaks the connection before the request is read: nothing
	// can have happened.
	FaultResetBefore Fault = "reset_before"
	// FaultResetAfter breaks it after the request was carried out: the reply is lost.
	FaultResetAfter Fault = "reset_after"
	// FaultTooManyRequests is status 429.
	FaultTooManyRequests Fault = "429"
	// FaultInternal is status 500.
	FaultInternal Fault = "500"
	// FaultUnavailable is status 503.
	FaultUnavailable Fault = "503"
	// FaultHalfBody is an answer that breaks off in the middle.
	FaultHalfBody Fault = "half_body"
	// FaultGarbage is an answer that is not what it says it is.
	FaultGarbage Fault = "garbage"
)

// statuses are the faults that are a status, and what it says.
var statuses = map[Fault]struct {
	code int
	body string
}{
	FaultTooManyRequests: {http.StatusTooManyRequests, `{"error":"too many requests"}`},
	FaultInternal:        {http.StatusInternalServerError, `{"error":"internal error"}`},
	FaultUnavailable:     {http.StatusServiceUnavailable, `{"error":"unavailable"}`},
}

// garbage is what [FaultGarbage] sends as JSON.
const garbage = "\x1f\x8b\x00<!DOCTYPE html>{\"]\xff"

// Faults makes the upstream of a server fail: as the [http.RoundTripper] of the
// server's client, or as a service, made by [Faults.Serve]. First come the faults of
// Script, one for each request, then what Chance says. The zero value lets
// everything pass. It is safe for concurrent use, and must not be changed or
// copied after its first use.
type Faults struct {
	// Script has the faults of the first requests, in their order.
	Script []Fault
	// Chance has the probability of each fault after that, from 0 to 1; what is left
	// to 1 is FaultNone. If nil, no fault comes after those of Script.
	Chance map[Fault]float64
	// Seed chooses the sequence: the same seed gives the same faults, in the order in
	// which the requests come.
	Seed uint64
	// RetryAfter, if not zero, is the Retry-After of statuses 429 and 503, in whole
	// seconds, rounded up.
	RetryAfter time.Duration
	// Stall limits FaultStall, which then ends like FaultResetAfter, without the
	// request being carried out. Zero or less is 30 s, chosen to be longer than a
	// server should wait for its upstream.
	Stall time.Duration
	// Base carries the requests of RoundTrip. If nil, it is http.DefaultTransport.
	Base http.RoundTripper

	mu     sync.Mutex
	random *rand.Rand
	drawn  []Fault
}

// next draws the fault of the next request.
func (f *Faults) next() Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	fault := FaultNone
	if n := len(f.drawn); n < len(f.Script) {
		fault = f.Script[n]
	} else if len(f.Chance) > 0 {
		if f.random == nil {
			f.random = rand.New(rand.NewPCG(f.Seed, 0))
		}
		at := f.random.Float64()
		for _, kind := range slices.Sorted(maps.Keys(f.Chance)) { // maps have no order
			if at < f.Chance[kind] {
				fault = kind
				break
			}
			at -= f.Chance[kind]
		}
	}
	f.drawn = append(f.drawn, fault)
	return fault
}

// Drawn returns the faults of all requests so far, in their order.
func (f *Faults) Drawn() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.drawn)
}

func (f *Faults) stall() time.Duration {
	if f.Stall <= 0 {
		return 30 * time.Second
	}
	return f.Stall
}

// header is that of an answer with a status of a fault.
func (f *Faults) header(fault Fault) http.Header {
	header := http.Header{"Content-Type": {"application/json"}}
	if f.RetryAfter > 0 && fault != FaultInternal {
		header.Set("Retry-After", seconds(f.RetryAfter))
	}
	return header
}
