package result

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Counts counts the tool calls and failures of a server. Set it as
// [MiddlewareOptions.Counts], and read it at any time, or publish it:
//
//	counts := new(result.Counts)
//	expvar.Publish("mcp_tools", counts)
//
// The zero value is ready to use. It is safe for concurrent use, and must not be
// copied. A nil *Counts counts nothing. It is also an [http.Handler] for Prometheus.
type Counts struct {
	calls    atomic.Int64
	mu       sync.Mutex
	tools    map[string]*toolTimes
	failures map[failureKey]int64
}

type failureKey struct {
	tool     string
	category toolerr.Category
	code     toolerr.Code
}

// maxCounted bounds the distinct tools and kinds of failure, because codes may come from
// other servers. Further ones are counted together, as tool "(other)". Chosen: a server of
// fifty tools with all codes has fewer.
const maxCounted = 1000

const otherTools = "(other)"

// A CountsSnapshot is the state of [Counts] at one time.
type CountsSnapshot struct {
	// Calls is the number of started calls.
	Calls int64 `json:"calls"`
	// Failed is the number of failed calls, including protocol errors.
	Failed int64 `json:"failed"`
	// Tools has the finished calls of each tool, sorted by name.
	Tools []ToolCount `json:"tools"`
	// Failures has the failures, sorted by tool, category and code.
	Failures []FailureCount `json:"failures"`
}

// A FailureCount is the number of failures of one kind of a tool.
type FailureCount struct {
	// Tool is the tool's name, "(unknown)" for names that are not tools of the server, and
	// "(other)" for failures beyond a thousand kinds.
	Tool string `json:"tool"`
	// Category and Code are the failure's; each may be empty.
	Category toolerr.Category `json:"errorCategory"`
	Code     toolerr.Code     `json:"code"` // see Category
	// Count is the number of failures, at least 1.
	Count int64 `json:"count"`
}

// Snapshot returns a copy of the current counts.
func (c *Counts) Snapshot() CountsSnapshot {
	s := CountsSnapshot{Tools: []ToolCount{}, Failures: []FailureCount{}}
	if c == nil {
		return s
	}
	c.mu.Lock()
	for key, n := range c.failures {
		s.Failures = append(s.Failures, FailureCount{Tool: key.tool, Category: key.category, Code: key.code, Count: n})
		s.Failed += n
	}
	for name, times := range c.tools {
		s.Tools = append(s.Tools, times.count(name))
	}
	c.mu.Unlock()
	s.Calls = c.calls.Load() // last, so that failures never exceed calls
	slices.SortFunc(s.Tools, func(a, b ToolCount) int { return cmp.Compare(a.Tool, b.Tool) })
	slices.SortFunc(s.Failures, func(a, b FailureCount) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Code, b.Code))
	})
	return s
}

// String returns the snapshot as JSON; it makes Counts an [expvar.Var].
func (c *Counts) String() string {
	raw, err := json.Marshal(c.Snapshot())
	if err != nil {
		return "{}" // cannot happen: strings and integers
	}
	return string(raw)
}

// started counts a started call. A nil c counts nothing.
func (c *Counts) started() {
	if c != nil {
		c.calls.Add(1)
	}
}

func (c *Counts) finished(call FinishedCall) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools, c.failures = map[string]*toolTimes{}, map[failureKey]int64{}
	}
	times, ok := c.tools[call.Tool]
	if !ok && len(c.tools) >= maxCounted {
		times, ok = c.tools[otherTools]
		call.Tool = otherTools
	}
	if !ok {
		times = new(toolTimes)
		c.tools[call.Tool] = times
	}
	times.add(call)
	if call.Err == nil {
		return
	}
	key := failureKey{call.Tool, call.Err.Category, call.Err.Code}
	if _, ok := c.failures[key]; !ok && len(c.failures) >= maxCounted {
		key = failureKey{tool: otherTools}
	}
	c.failures[key]++
}
