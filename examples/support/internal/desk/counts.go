package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Counts counts the finished tool calls of one process, for expvar and Prometheus; package mcpotel,
// for OpenTelemetry, also measures durations. Set its method Add as [result.MiddlewareOptions.OnCall].
// The zero value is ready, and safe for concurrent use.
type Counts struct {
	mu    sync.Mutex
	calls map[CallCount]int64 // with Count 0
}

// maxCounted limits the kinds of calls that are counted, as other servers may send any code: chosen for fifty tools.
const maxCounted = 1000

// A CallCount is the number of calls of one kind.
type CallCount struct {
	// Tool is the tool's name, "(unknown)" for failed calls of tools that are not listed, or
	// "(other)" for calls beyond a thousand kinds.
	Tool string `json:"tool"`
	// Kind is the name of a [result.Kind], such as data or failure. A protocol error counts as a failure.
	Kind string `json:"kind"`
	// Category, Code and Effect are the failure's; each may be empty.
	Category toolerr.Category `json:"errorCategory,omitempty"`
	Code     toolerr.Code     `json:"code,omitempty"`   // see Category
	Effect   toolerr.Effect   `json:"effect,omitempty"` // see Category
	// Claim is [result.FinishedCall.Claim].
	Claim string `json:"claim,omitempty"`
	// Count is the number of calls. It is at least 1.
	Count int64 `json:"count"`
}

// Snapshot returns a copy of the current counts, sorted by Tool, then by the other fields in order.
func (c *Counts) Snapshot() []CallCount {
	s := []CallCount{}
	c.mu.Lock()
	for call, n := range c.calls {
		call.Count = n
		s = append(s, call)
	}
	c.mu.Unlock()
	slices.SortFunc(s, func(a, b CallCount) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Effect, b.Effect), cmp.Compare(a.Claim, b.Claim))
	})
	return s
}

// String returns the snapshot as JSON, so *Counts is an [expvar.Var].
func (c *Counts) String() string {
	raw, _ := json.Marshal(c.Snapshot()) // strings and integers
	return string(raw)
}

// ServeHTTP serves toolerr_calls_total in Prometheus's text format 0.0.4, labeled with
// gen_ai_tool_name, toolerr_kind, toolerr_category, toolerr_code, toolerr_effect and toolerr_claim.
func (c *Counts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = fmt.Fprint(w, "# HELP toolerr_calls_total Finished tool calls.\n# TYPE toolerr_calls_total counter\n")
	for _, n := range c.Snapshot() {
		_, _ = fmt.Fprintf(w, "toolerr_calls_total{gen_ai_tool_name=%s,toolerr_kind=%s,toolerr_category=%s,toolerr_code=%s,"+
			"toolerr_effect=%s,toolerr_claim=%s} %d\n",
			label(n.Tool), label(n.Kind), label(n.Category), label(n.Code), label(n.Effect), label(n.Claim), n.Count)
	}
}

func label[T ~string](value T) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).
		Replace(strings.ToValidUTF8(string(value), "\uFFFD")) + `"`
}

// Add counts a finished call.
func (c *Counts) Add(_ context.Context, call result.FinishedCall) {
	kind := CallCount{Tool: call.Tool, Kind: call.Kind.String(), Claim: call.Claim}
	if e := call.Err; e != nil {
		kind.Category, kind.Code, kind.Effect = e.Category, e.Code, e.Effect
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls = map[CallCount]int64{}
	}
	if _, ok := c.calls[kind]; !ok && len(c.calls) >= maxCounted {
		kind = CallCount{Tool: "(other)", Kind: kind.Kind}
	}
	c.calls[kind]++
}
