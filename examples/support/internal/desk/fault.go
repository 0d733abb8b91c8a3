package desk

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A fault is a way in which a tool call goes wrong.
type fault string

const (
	none      fault = ""
	stall     fault = "timeout"     // the service says nothing until the caller has gone
	down      fault = "unavailable" // it answers 503
	throttle  fault = "throttle"    // 429 with Retry-After: 1
	reset     fault = "reset"       // it breaks the connection without a word
	deny      fault = "denied"      // 403
	lostReply fault = "lost-reply"  // it does the work, then breaks the connection
	panics    fault = "panic"       // the tool's handler panics
)

// kinds lists the faults that -fault accepts.
var kinds = []fault{stall, down, throttle, reset, deny, lostReply, panics}

// tools lists the tools that -fault accepts.
var tools = []string{"get_customer", "lookup_order", "process_refund", "escalate_to_human"}

// A plan holds the faults that -fault sets: for each tool, the faults of its next calls. A call
// whose arguments are refused does not use up a fault. The zero plan has no faults. Only next is
// safe for concurrent use.
type plan struct {
	mu    sync.Mutex
	calls map[string][]planned
}

// planned is a fault of the next count calls, or of all later calls if count is 0.
type planned struct {
	fault fault
	count int
}

// add adds the fault that one -fault flag sets, after the earlier ones.
func (p *plan) add(value string) error {
	tool, what, ok := strings.Cut(value, "=")
	if !ok {
		return errors.New("want TOOL=KIND or TOOL=KIND:COUNT, TOOL is " + toolNames() + ", KIND is " + kindNames())
	}
	kind, counted, limited := strings.Cut(what, ":")
	count, err := 0, error(nil)
	if limited {
		count, err = strconv.Atoi(counted)
	}
	switch {
	case !slices.Contains(tools, tool):
		return fmt.Errorf("no tool is called %q, TOOL is %s", tool, toolNames())
	case !slices.Contains(kinds, fault(kind)):
		return fmt.Errorf("no kind of fault is called %q, KIND is %s", kind, kindNames())
	case err != nil || limited && count < 1:
		return fmt.Errorf("cannot count to %q, COUNT is a number from 1, or is left out for every call", counted)
	}
	if p.calls == nil {
		p.calls = map[string][]planned{}
	}
	p.calls[tool] = append(p.calls[tool], planned{fault(kind), count})
	return nil
}

func (p *plan) empty() bool { return len(p.calls) == 0 }

// needServices reports whether the services have to cause any of the faults.
func (p *plan) needServices() bool {
	for _, queue := range p.calls {
		if slices.ContainsFunc(queue, func(f planned) bool { return f.fault != panics }) {
			return true
		}
	}
	return false
}

// next takes the fault of a tool's next call out of the plan.
func (p *plan) next(tool string) fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	queue := p.calls[tool]
	if len(queue) == 0 {
		return none
	}
	first := queue[0]
	switch first.count {
	case 0:
	case 1:
		p.calls[tool] = queue[1:]
	default:
		queue[0].count--
	}
	return first.fault
}

func toolNames() string { return oneOf(tools) }

func kindNames() string { return oneOf(kinds) }

// oneOf returns "a, b or c".
func oneOf[S ~string](words []S) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(word))
	}
	return b.String()
}
