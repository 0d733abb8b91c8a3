package retry

import "time"

// AgentPolicy returns a policy for an agent that makes one call at a time and waits for the
// answers. It is more patient than the zero [Policy], and has its own budget of three times
// the default size, so that it survives an outage of some seconds. Use one value for each
// server. Use the zero Policy for a program with many callers, or for a fleet: it adds less
// load to a server that is down.
//
//	window: 2s -> 4s -> 8s, and four attempts in all
//
// The figures are measured with "go test ./retry -run Storm -storm -v". Of 3,000 agents
// that wait for their answers while a server is down for 30 s, about as many calls fail as
// with delays of 1, 2 and 4 s and no budget: a fifth of the failures of the zero Policy with
// a Budget. With 1,000 clients that do not wait, the server recovers as fast as without
// retries, at 1.5 attempts a call instead of 1.2.
func AgentPolicy() Policy {
	return Policy{
		MaxAttempts: 4, BaseDelay: 2 * time.Second, ThrottledDelay: 2 * time.Second,
		Budget: &Budget{Size: 300},
	}
}

// ToolPolicy returns a policy for a tool's own calls of the service behind it: three
// attempts with at most 300 ms of waiting, for short failures such as a connection reset. A
// longer failure is handed up with the attempts made. The agent decides then, and does not
// repeat what the tool has repeated. If the service asks for a longer wait, there is no
// retry. Set Safety, and set AttemptTimeout to the service's longest response time.
//
//	window: 50ms -> 100ms, and three attempts in all
//
// The figures are chosen: short compared to the seconds that a model needs for a step.
func ToolPolicy() Policy {
	return Policy{
		BaseDelay: 50 * time.Millisecond, ThrottledDelay: 50 * time.Millisecond, MaxDelay: 200 * time.Millisecond,
		MaxRetryAfter: 100 * time.Millisecond, MaxWait: 300 * time.Millisecond,
	}
}
