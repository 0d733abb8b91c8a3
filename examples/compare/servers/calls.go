package main

// A call is a tool call that is sent to every server.
type call struct {
	name      string
	tool      string
	arguments map[string]any
}

// The calls that do not fail.
var (
	found        = call{"found", "search_orders", map[string]any{"customer": "CUS-2", "status": "open"}}
	nothingFound = call{"nothing found", "search_orders", map[string]any{"customer": "CUS-1", "status": "open"}}
)

// The failing calls that facts.go refers to by name.
var (
	misspelt  = call{"misspelt value", "search_orders", map[string]any{"customer": "CUS-2", "status": "opne"}}
	missing   = call{"missing argument", "search_orders", map[string]any{"status": "open"}}
	throttled = call{"throttled", "track_parcel", map[string]any{"order": "ORD-7"}}
	lost      = call{"connection lost", "book_courier", map[string]any{"order": "ORD-7"}}
)

// failures are the calls that fail, each in a different way.
var failures = []call{
	misspelt,
	missing,
	{"timeout", "read_invoice", map[string]any{"order": "ORD-7"}},
	throttled,
	{"over the limit", "refund", map[string]any{"order": "ORD-7", "amount": 650}},
	lost,
	{"unforeseen", "add_note", map[string]any{"order": "ORD-7"}},
	{"panic", "print_label", map[string]any{"order": "ORD-7"}},
	{"nil, nil", "day_report", map[string]any{}},
}
