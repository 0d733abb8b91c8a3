package desk

import (
	"net/http"
	"strings"
)

// faultHeader tells a service of our own to misbehave on this request.
const faultHeader = "Support-Fault"

// A saboteur sends the tools' requests to the services, with the plan's faults. The tools cannot
// tell.
type saboteur struct {
	plan *plan
	next http.RoundTripper
}

func (p *plan) transport() http.RoundTripper {
	// Each request has its own connection, so a broken one does not affect others.
	return saboteur{p, &http.Transport{DisableKeepAlives: true}}
}

// RoundTrip implements [http.RoundTripper]. It runs in the goroutine of the tool's handler, so its
// panic is the handler's.
func (s saboteur) RoundTrip(r *http.Request) (*http.Response, error) {
	tool := toolOf(r)
	f := s.plan.next(tool)
	if f == panics {
		panic(tool + " panics, as -fault wants it")
	}
	if f != none {
		r = r.Clone(r.Context())
		r.Header.Set(faultHeader, string(f))
	}
	return s.next.RoundTrip(r)
}

// toolOf returns the tool that sends requests to r's path.
func toolOf(r *http.Request) string {
	switch r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:] {
	case "orders":
		return "lookup_order"
	case "refunds":
		return "process_refund"
	case "tickets":
		return "escalate_to_human"
	}
	return "get_customer"
}
