package retry_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A batch is a tool that processes some of its items in each call.
type batch struct {
	total, each int
	cumulative  bool // each part repeats all earlier ones
	object      bool // the results are in an object
	perCall     bool // processed counts only the items of the call
	breaks      int  // number of the call that fails permanently; 0 means none
	calls       []any
}

func (b *batch) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	arguments, _ := params.Arguments.(map[string]any)
	b.calls = append(b.calls, arguments["from"])
	if len(b.calls) == b.breaks {
		return result.Failure(toolerr.Permission("No more.")), nil
	}
	from := 0
	_, _ = fmt.Sscan(fmt.Sprint(arguments["from"]), &from)
	to := min(from+b.each, b.total)
	items := []int{}
	for i := map[bool]int{true: 0, false: from}[b.cumulative]; i < to; i++ {
		items = append(items, i)
	}
	var results any = items
	if b.object {
		results = map[string]any{"items": items, "next": to}
	}
	if to == b.total {
		return result.OK(results), nil
	}
	raw, err := json.Marshal(results)
	if err != nil {
		return nil, err
	}
	processed := to
	if b.perCall {
		processed = to - from
	}
	return result.Failure(toolerr.Transient("Out of time.").WithPartial(&toolerr.Partial{
		Processed: processed, Total: b.total, ContinueFrom: to, Results: raw,
	})), nil
}

func resume(ctx context.Context, s retry.Session, arguments any) (result.Outcome, retry.Decision) {
	return retry.Resume(ctx, func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, retry.Policy{}, s, p)
	}, &mcp.CallToolParams{Name: "batch", Arguments: arguments}, "from")
}

func TestResume(t *testing.T) {
	t.Parallel()
	want := make([]int, 50)
	for i := range want {
		want[i] = i
	}
	for _, b := range []*batch{
		{each: 15},
		{each: 15, cumulative: true},
		{each: 15, object: true},
		{each: 15, object: true, cumulative: true},
		{each: 15, perCall: true},
		{each: 1},
		{each: 50},
		{each: 49},
		{each: 25, perCall: true},
	} {
		b.total = 50
		out, d := resume(t.Context(), b, map[string]any{"q": "x"})
		assert.Equal(t, retry.ActionAccept, d.Action, "%+v", b)
		got, err := result.Decode[any](out)
		require.NoError(t, err)
		if object, ok := got.(map[string]any); ok {
			got = object["items"]
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		expected, err := json.Marshal(want)
		require.NoError(t, err)
		assert.JSONEq(t, string(expected), string(raw), "%+v", b)
		assert.Len(t, b.calls, (50+b.each-1)/b.each)
	}
}

// TestResume_Failure checks that the results so far survive a failure.
func TestResume_Failure(t *testing.T) {
	t.Parallel()
	b := &batch{total: 50, each: 15, breaks: 3}
	out, d := resume(t.Context(), b, nil)
	assert.Equal(t, "reauthorize partial", d.Action.String()+" "+out.Kind.String())
	assert.Equal(t, "30 of 50, No more.", fmt.Sprintf("%d of %d, %s", out.Err.Partial.Processed, out.Err.Partial.Total, out.Err.Message))
	var items []int
	require.NoError(t, json.Unmarshal(out.Err.Partial.Results, &items))
	assert.Len(t, items, 30)

	b = &batch{total: 50, each: 15, breaks: 1}
	out, _ = resume(t.Context(), b, nil)
	assert.Equal(t, result.KindFailure, out.Kind)
	assert.Nil(t, out.Err.Partial)

	_, d = resume(t.Context(), &batch{total: 50, each: 15}, []int{1})
	assert.Equal(t, retry.ReasonNoProgress, d.Reason, "arguments that are not an object")
}

// stuck answers with its parts in order, again and again.
type stuck struct {
	parts []toolerr.Partial
	calls int
}

func (s *stuck) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	p := s.parts[min(s.calls, len(s.parts)-1)]
	if s.parts[0].ContinueFrom == "new" {
		p.ContinueFrom = fmt.Sprint("new", s.calls)
	}
	s.calls++
	return result.Failure(toolerr.Transient("m").WithPartial(&p)), nil
}

func TestResume_NoProgress(t *testing.T) {
	t.Parallel()
	one := json.RawMessage(`[1]`)
	for name, test := range map[string]struct {
		s     *stuck
		calls int
	}{
		"the same place":          {&stuck{parts: []toolerr.Partial{{Processed: 1, ContinueFrom: "a", Results: one}}}, 2},
		"a cycle":                 {&stuck{parts: []toolerr.Partial{{Processed: 1, ContinueFrom: "a", Results: one}, {Processed: 2, ContinueFrom: "b", Results: one}, {Processed: 3, ContinueFrom: "a", Results: one}}}, 3},
		"new cursors, no results": {&stuck{parts: []toolerr.Partial{{Processed: 1, ContinueFrom: "new"}}}, 2},
		"endless":                 {&stuck{parts: []toolerr.Partial{{ContinueFrom: "new", Results: one}}}, 1000},
		"no cursor":               {&stuck{parts: []toolerr.Partial{{Processed: 1, Results: one}}}, 1},
	} {
		out, d := resume(t.Context(), test.s, nil)
		assert.Equal(t, test.calls, test.s.calls, name)
		assert.Equal(t, result.KindPartial, out.Kind, name)
		assert.Equal(t, retry.ActionPropagate, d.Action, name)
	}
}

func TestResume_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		p := &toolerr.Partial{Processed: 1, ContinueFrom: "a", Results: json.RawMessage(`[1]`)}
		call := func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			if calls++; calls == 2 {
				return result.Parse(result.OK([]int{2}), nil), retry.Decision{Action: retry.ActionAccept}
			}
			out := result.Parse(result.Failure(toolerr.Transient("m").WithPartial(p).WithRetryAfter(10*time.Second)), nil)
			return out, retry.Policy{}.Decide(out, retry.State{})
		}
		start := time.Now()
		out, d := retry.Resume(t.Context(), call, nil, "from")
		assert.Equal(t, "[1,2]", out.Text())
		assert.Equal(t, 10*time.Second, time.Since(start))
		assert.Equal(t, 10*time.Second, d.Waited)

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		calls, start = 0, time.Now()
		out, d = retry.Resume(ctx, call, nil, "from")
		assert.Equal(t, retry.Decision{Reason: retry.ReasonCanceled, Attempt: 1}, d)
		assert.Equal(t, 1, out.Err.Partial.Processed)
		assert.Equal(t, time.Second, time.Since(start))
	})
}

// TestResume_Deadline checks that a pause that exceeds the deadline is not started.
func TestResume_Deadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for limit, want := range map[time.Duration]int{29 * time.Second: 1, 30 * time.Second: 1, 45 * time.Second: 2} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			s := &pausing{}
			start := time.Now()
			out, d := resume(ctx, s, nil)
			assert.Equal(t, want, s.parts, limit)
			slept := time.Duration(want-1) * 30 * time.Second
			assert.Equal(t, slept, time.Since(start), limit)
			assert.Equal(t, retry.Decision{Reason: retry.ReasonPastDeadline, Attempt: 1, Waited: slept, Tool: "batch"}, d, limit)
			assert.Equal(t, result.KindPartial, out.Kind, limit)
			cancel()
		}
	})
}

// TestResume_Pauses checks that the pauses are limited in total.
func TestResume_Pauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &pausing{}
		start := time.Now()
		out, d := resume(t.Context(), s, nil)
		assert.Equal(t, 21, s.parts)
		assert.Equal(t, 10*time.Minute, time.Since(start))
		assert.Equal(t, retry.Decision{Reason: retry.ReasonWaitTooLong, Attempt: 1, Waited: 10 * time.Minute, Tool: "batch"}, d)
		var items []int
		require.NoError(t, json.Unmarshal(out.Err.Partial.Results, &items))
		assert.Len(t, items, 21, "items")
		assert.NotNil(t, out.Err.Partial.ContinueFrom)
	})
}

// pausing asks for 30 s before each of its parts, without end.
type pausing struct{ parts int }

func (s *pausing) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.parts++
	return result.Failure(toolerr.RateLimited("m", 30*time.Second).WithEffect(toolerr.EffectNone).WithPartial(&toolerr.Partial{
		Processed: s.parts, ContinueFrom: s.parts, Results: json.RawMessage(`[1]`),
	})), nil
}

// TestResume_LargeNumbers checks that numbers keep their digits, also in the last part.
func TestResume_LargeNumbers(t *testing.T) {
	t.Parallel()
	s := &script{answers: []any{
		toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 2, Results: json.RawMessage(`[9007199254740993]`)}),
		json.RawMessage(`[9007199254740995,40.0]`),
	}}
	out, _ := resume(t.Context(), s, nil)
	assert.Equal(t, "[9007199254740993,9007199254740995,40.0]", out.Text())
}

// TestResume_WaitsOfAttempts checks that the waits between attempts count too.
func TestResume_WaitsOfAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		call := func(ctx context.Context, _ *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			n++
			return retry.CallTool(ctx, retry.Policy{BaseDelay: -1}, &script{answers: []any{
				errRefused.WithRetryAfter(25 * time.Second), errRefused.WithRetryAfter(25 * time.Second),
				toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: n, ContinueFrom: n, Results: json.RawMessage(`[1]`)}),
			}}, tool("batch"))
		}
		start := time.Now()
		_, d := retry.Resume(t.Context(), call, nil, "from")
		assert.Equal(t, retry.ReasonWaitTooLong, d.Reason)
		assert.Equal(t, 13*50*time.Second, time.Since(start), "the call during which the limit is reached")
		assert.Equal(t, time.Since(start), d.Waited)
	})
}

// TestResume_TooLarge checks that no part is requested after 64 MiB, and that the results need
// little more memory than their size.
func TestResume_TooLarge(t *testing.T) { //nolint:paralleltest // it measures memory
	results := "[" + strings.Repeat("1,", 32<<20) + "1]"
	calls := 0
	e := toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: "new", Results: json.RawMessage(results)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, d := retry.Resume(t.Context(), func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		calls++
		return result.Outcome{Kind: result.KindPartial, Err: e}, retry.Decision{Action: retry.ActionFixInput}
	}, tool("batch"), "from")
	runtime.ReadMemStats(&after)
	assert.Equal(t, retry.ReasonNoProgress, d.Reason)
	assert.Equal(t, 1, calls)
	require.NotNil(t, out.Err.Partial)
	assert.Equal(t, sha256.Sum256([]byte(results)), sha256.Sum256(out.Err.Partial.Results))
	assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/uint64(len(results)), uint64(8), "bytes per byte; the race detector's build takes 6")
}

// TestResume_CostOfAPart checks that the cost of a part does not depend on the parts before
// it.
func TestResume_CostOfAPart(t *testing.T) { //nolint:paralleltest // it counts allocations
	results := json.RawMessage(`{"items":[` + strings.Repeat(`{"a":1},`, 99) + `{"a":1}],"count":1}`)
	bytesFor := func(parts int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		_, _ = retry.Resume(t.Context(), func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			if n++; n == parts {
				return result.Outcome{Kind: result.KindFailure, Err: errPath}, retry.Decision{}
			}
			e := toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: n * 100, ContinueFrom: n, Results: results})
			return result.Outcome{Kind: result.KindPartial, Err: e}, retry.Decision{Action: retry.ActionFixInput}
		}, tool("batch"), "from")
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(parts)
	}
	few := bytesFor(10)
	assert.Less(t, bytesFor(900), 2*few, "bytes per part with 900 parts; with 10: %.0f", few)
}
