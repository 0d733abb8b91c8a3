package ledger

import (
	"encoding/json"
	"sync"
)

// A Fault is what an intermediary does to a request that calls a tool.
type Fault string

// The faults. Those of a status are HTTP's alone.
const (
	Pass        Fault = ""
	Lose        Fault = "the request is lost"
	DropReply   Fault = "the reply is lost"
	CutReply    Fault = "the reply is cut"
	RepeatReply Fault = "the reply comes twice"
	Delay       Fault = "the reply is late"
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

// A Request is a tool call as an intermediary sees it.
type Request struct {
	Tool string
	Args Args
	// Seen is how many calls of this order came before.
	Seen int
}

// Faults choose what becomes of requests. Choose may be nil, which lets them pass. It is
// safe for concurrent use if Choose is.
type Faults struct {
	Choose func(Request) Fault
	// Kill kills the server, and returns when it is dead.
	Kill func()

	mu   sync.Mutex
	seen map[string]int
	met  map[Fault]int
}

// message is what is looked at of a message of JSON-RPC.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

// of returns the fault of a message, and its id.
func (f *Faults) of(raw []byte) (fault Fault, id string) {
	var m message
	if f.Choose == nil || json.Unmarshal(raw, &m) != nil {
		return Pass, string(m.ID)
	}
	var args Args
	if m.Method != "tools/call" || json.Unmarshal(m.Params.Arguments, &args) != nil {
		return Pass, string(m.ID)
	}
	f.mu.Lock()
	if f.seen == nil {
		f.seen, f.met = map[string]int{}, map[Fault]int{}
	}
	n := f.seen[args.Order]
	f.seen[args.Order]++
	f.mu.Unlock()
	fault = f.Choose(Request{Tool: m.Params.Name, Args: args, Seen: n})
	f.mu.Lock()
	defer f.mu.Unlock()
	if fault != Pass {
		f.met[fault]++
	}
	return fault, string(m.ID)
}

// Met returns how often each fault was met.
func (f *Faults) Met() map[Fault]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	met := map[Fault]int{}
	for fault, n := range f.met {
		met[fault] = n
	}
	return met
}
