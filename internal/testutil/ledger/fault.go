package ledger

import (
	"encoding/json"
	"maps"
	"sync"
)

// A Fault is what an intermediary does to a request or its reply.
type Fault string

// Faults with a status work only over HTTP; RepeatReply, Delay and Garble do nothing there.
const (
	Pass        Fault = ""
	Lose        Fault = "the request is lost"
	DropReply   Fault = "the reply is lost"
	CutReply    Fault = "the reply is cut"
	Garble      Fault = "the reply is garbled"
	RepeatReply Fault = "the reply comes twice"
	Delay       Fault = "the reply is late"
	Hang        Fault = "the reply is kept back until nobody waits for it"
	Replay      Fault = "the request is sent twice"
	KillBefore  Fault = "the server is killed before the work"
	KillAfter   Fault = "the server is killed after the work"
	After502    Fault = "502 after the work"
	After503    Fault = "503 after the work"
	After503In  Fault = "503 with Retry-After, after the work"
	After504    Fault = "504 after the work"
	Before503In Fault = "503 with Retry-After, and no work"
	Before429   Fault = "429, and no work"
)

// A Request is a tool call or a booking that an intermediary receives.
type Request struct {
	Tool string
	Args Args
	// Keyed is set if the arguments contain a key.
	Keyed bool
	// Seen is the number of earlier requests for this order.
	Seen int
}

// Faults chooses a fault for each request. If Choose is nil, there are no faults. Faults is safe
// for concurrent use if Choose is.
type Faults struct {
	Choose func(Request) Fault
	// Kill kills the server, and returns once it has exited.
	Kill func()

	mu   sync.Mutex
	seen map[string]int
	met  map[Fault]int
}

// A message holds those members of a JSON-RPC message or of a booking that are examined.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	Booking
}

// A delivery is a received message, with the fault chosen for it.
type delivery struct {
	id    string
	args  Args
	fault Fault
}

// of chooses the fault of a message, and counts it.
func (f *Faults) of(raw []byte) (s delivery) {
	var m message
	if f.Choose == nil || json.Unmarshal(raw, &m) != nil {
		return s
	}
	s.id = string(m.ID)
	tool := m.Params.Name
	switch {
	case m.Order != "":
		tool, s.args = m.Tool, Args{Order: m.Order, Round: m.Round}
	case m.Method != "tools/call" || json.Unmarshal(m.Params.Arguments, &s.args) != nil:
		return s
	}
	f.mu.Lock()
	if f.seen == nil {
		f.seen, f.met = map[string]int{}, map[Fault]int{}
	}
	n := f.seen[s.args.Order]
	f.seen[s.args.Order]++
	f.mu.Unlock()
	var keys struct {
		Key   string `json:"idempotency_key"`
		Other string `json:"request_id"`
	}
	_ = json.Unmarshal(m.Params.Arguments, &keys)
	s.fault = f.Choose(Request{Tool: tool, Args: s.args, Keyed: keys.Key+keys.Other != "", Seen: n})
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.fault != Pass {
		f.met[s.fault]++
	}
	return s
}

// Counts returns how often each fault was chosen.
func (f *Faults) Counts() map[Fault]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.met)
}
