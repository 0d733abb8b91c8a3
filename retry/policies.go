package retry

import "time"

// AgentPolicy returns a policy for an agent that makes one call after the other and waits
// for the answers: it has more patience than the zero [Policy], and a budget of its own
// with three times the default size, so that it rides out an outage of some seconds. Use
// one value for each server. A program with many callers, or a fleet of them, is better
// off with the zero Policy, which adds less to the load of a server that is down.
//
//	window: 2s -> 4s -> 8s, and four attempts in all
//
// The figures are measured with "go test ./retry -run Storm -storm -v": of 3,000 agents
// that each wait for their answers while a server is down for 30 s, about as many calls fail as
// with 1-2-4 s alone, a fifth of those with the zero Policy and a Budget; and 1,000 clients
// that do not wait let the server come back as soon as without retries, at 1.5 attempts a
// call in place of 1.2.
func AgentPolicy() Policy {
	return Policy{
		MaxAttempts: 4, BaseDelay: 2 * time.Second, ThrottledDelay: 2 * time.Second,
		Budget: &Budget{Size: 300},
	}
}

// ToolPolicy returns a policy for the retries that a tool makes inside, of its calls of the
// service behind it: three attempts with at most 300 ms of waiting between them, for what
// passes at once, such as a connection that was reset. What lasts longer is handed up with
// what was attempted, for the agent to decide, which knows what else it could do meanwhile
// and repeats nothing that a tool has repeated. A service that asks for a longer wait is
// left alone. Set its Safety, and AttemptTimeout to what an answer of the service may take.
//
//	window: 50ms -> 100ms, and three attempts in all
//
// The figures are chosen: short beside the seconds that a model takes for its next step.
func ToolPolicy() Policy {
	return Policy{
		BaseDelay: 50 * time.Millisecond, ThrottledDelay: 50 * time.Millisecond, MaxDelay: 200 * time.Millisecond,
		MaxHint: 100 * time.Millisecond, MaxWait: 300 * time.Millisecond,
	}
}
