package main

import "maps"

// A scenario is a call, its faults and its outcome.
type scenario struct {
	title  string
	call   call
	faults []fault
	booked int // how often the work is done
	called int // how often the tool is called
	ends   string
}

var scenarios = []scenario{
	{"busy twice, then done", call{Tool: "process_refund", Order: "ORD-1"}, []fault{busy, busy}, 1, 3, ""},
	{"the reply is lost: repeated, since the key makes that safe", call{Tool: "process_refund", Order: "ORD-2"}, []fault{lost}, 1, 2, ""},
	{"over the limit: cancelled, not repeated", call{Tool: "process_refund", Order: "ORD-3"}, []fault{refuse}, 0, 1, "limit_exceeded after 1 attempts"},
	{"always busy: given up after three attempts", call{Tool: "process_refund", Order: "ORD-4"}, []fault{busy, busy, busy, busy}, 0, 3, "rate_limited after 3 attempts"},
	{"no key, the reply is lost: looked up, found, not repeated", call{Tool: "post_letter", Order: "ORD-5"}, []fault{lost}, 1, 1, ""},
	{"no key, the request is lost: looked up, not found, repeated", call{Tool: "post_letter", Order: "ORD-6"}, []fault{gone}, 1, 2, ""},
}

// plan returns the faults of all scenarios.
func plan() map[string][]fault {
	faults := map[string][]fault{}
	for _, s := range scenarios {
		maps.Copy(faults, map[string][]fault{s.call.Order: s.faults})
	}
	return faults
}
