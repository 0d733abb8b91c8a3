package main

import "maps"

// A scenario is a call, with the faults that it meets and how it should end.
type scenario struct {
	title  string
	call   call
	faults map[string][]fault // by order
	booked int                // how often the work is done
	called int                // how often the tool is called
	ends   string             // part of the report; empty if all is done
}

func refund(orders ...string) call { return call{Tool: "process_refund", Orders: orders} }
func letter(orders ...string) call { return call{Tool: "post_letter", Orders: orders} }

var scenarios = []scenario{
	{"busy twice, then done", refund("ORD-1"), map[string][]fault{"ORD-1": {busy, busy}}, 1, 3, ""},
	{
		"the reply is lost: repeated, since the key makes that safe", refund("ORD-2"),
		map[string][]fault{"ORD-2": {lost}},
		1,
		2, "",
	},
	{
		"over the limit: canceled, not repeated", refund("ORD-3"),
		map[string][]fault{"ORD-3": {refuse}},
		0, 1,
		"limit_exceeded after 1 attempts, effect none",
	},
	{
		"always busy: given up after three attempts", refund("ORD-4"),
		map[string][]fault{"ORD-4": {busy, busy, busy, busy}},
		0, 3, "rate_limited after 3 attempts, effect none",
	},
	{
		"busy, and the caller lists that as not to be repeated",
		call{"process_refund", []string{"ORD-5"}, []string{"rate_limited"}, 0},
		map[string][]fault{"ORD-5": {busy}},
		0, 1,
		"rate_limited after 1 attempts, effect none",
	},
	{
		"closed for three times ten minutes: postponed, not failed", refund("ORD-6"),
		map[string][]fault{"ORD-6": {closed, closed, closed}},
		1, 4, "",
	},
	{
		"the reply is lost, then busy: given up, and it may have been done", refund("ORD-7"),
		map[string][]fault{"ORD-7": {lost, busy, busy}},
		1, 3, "rate_limited after 3 attempts, effect unknown",
	},
	{
		"three orders, busy at the second: continued there", refund("ORD-8", "ORD-9", "ORD-10"),
		map[string][]fault{"ORD-9": {busy}},
		3, 4, "",
	},
	{
		"three orders, the last one over the limit: two are done", refund("ORD-14", "ORD-15", "ORD-16"),
		map[string][]fault{"ORD-16": {refuse}},
		2, 3,
		"limit_exceeded after 1 attempts, effect applied: Over the limit. 2 of 3 done, continue from ORD-16.",
	},
	{
		"no key, the reply is lost: looked up, found, not repeated", letter("ORD-11"),
		map[string][]fault{"ORD-11": {lost}},
		1, 1, "",
	},
	{
		"no key, the request is lost: looked up, not found, repeated", letter("ORD-12"),
		map[string][]fault{"ORD-12": {gone}},
		1, 2, "",
	},
	{
		"no key, lost again and again: given up, and it was not done", letter("ORD-13"),
		map[string][]fault{"ORD-13": {gone, gone, gone, gone}},
		0, 3, "after 3 attempts, effect none",
	},
}

// plan returns the faults of all scenarios.
func plan() map[string][]fault {
	faults := map[string][]fault{}
	for _, s := range scenarios {
		maps.Copy(faults, s.faults)
	}
	return faults
}
