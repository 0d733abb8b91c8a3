package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
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
	breaks      int // number of the call that fails permanently; 0 means none
	calls       int
}

func (b *batch) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	if b.calls++; b.calls == b.breaks {
		return fails(toolerr.Permission("No more."))
	}
	arguments, _ := params.Arguments.(map[string]any)
	from := 0
	_, _ = fmt.Sscan(fmt.Sprint(arguments["from"]), &from)
	to := min(from+b.each, b.total)
	items := []int{}
	for i := from; i < to; i++ {
		items = append(items, i)
	}
	raw, err := json.Marshal(items)
	if to == b.total || err != nil {
		return result.OK(items), err
	}
	p := &toolerr.Partial{Processed: to, Total: b.total, ContinueFrom: to, Results: raw}
	return fails(toolerr.Transient("Out of time.").WithPartial(p))
}

// resume continues a call of a session with a policy.
func resume(ctx context.Context, p retry.Policy, s retry.Session, arguments any) (result.Outcome, retry.Decision) {
	return retry.Resume(ctx, func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, p, s, params)
	}, tool("batch", arguments), "from")
}

func TestResume(t *testing.T) {
	t.Parallel()
	want := make([]int, 50)
	for i := range want {
		want[i] = i
	}
	for _, each := range []int{1, 15, 49, 50} {
		b := &batch{total: 50, each: each}
		out, d := resume(t.Context(), retry.Policy{}, b, map[string]any{"q": "x"})
		assert.Equal(t, retry.ActionAccept, d.Action, each)
		got, err := result.Decode[[]int](out)
		require.NoError(t, err)
		assert.Equal(t, want, got, each)
		assert.Equal(t, (50+each-1)/each, b.calls)
	}
}

// TestResume_Failure checks that the results so far survive a failure.
func TestResume_Failure(t *testing.T) {
	t.Parallel()
	out, d := resume(t.Context(), retry.Policy{}, &batch{total: 50, each: 15, breaks: 3}, nil)
	p := out.Err.Partial
	assert.Equal(t, "reauthorize partial 30 of 50, No more.", fmt.Sprintf("%v %v %d of %d, %s", d.Action, out.Kind, p.Processed, p.Total, out.Err.Message))
	var items []int
	require.NoError(t, json.Unmarshal(p.Results, &items))
	assert.Len(t, items, 30)

	out, _ = resume(t.Context(), retry.Policy{}, &batch{total: 50, each: 15, breaks: 1}, nil)
	assert.Equal(t, result.KindFailure, out.Kind)
	assert.Nil(t, out.Err.Partial)

	_, d = resume(t.Context(), retry.Policy{}, &batch{total: 50, each: 15}, []int{1})
	assert.Equal(t, retry.ReasonNoProgress, d.Reason, "arguments that are not an object")

	more := toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1, ContinueFrom: "a", Results: json.RawMessage(`[1]`)})
	s := &script{answers: []any{more}}
	out, d = resume(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, s, nil)
	assert.Equal(t, "partial propagate no_progress none 2", fmt.Sprint(out.Kind, " ", d.Action, " ", d.Reason, " ", out.Err.Effect, " ", len(s.calls)), "the same position")
	s = &script{answers: []any{more, json.RawMessage(`[9007199254740993]`)}}
	out, _ = retry.Resume(t.Context(), func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, retry.Policy{}, s, p)
	}, nil, "from")
	assert.Equal(t, "[1,9007199254740993]", out.Text(), "nil params")
	for _, c := range [][2]any{{0, nil}, {0, map[string]any{"from": 0}}, {0, map[string]any{"from": 3}}, {"0", nil}} { // the beginning, and the arguments
		s = &script{answers: []any{more.WithPartial(&toolerr.Partial{Processed: 1, ContinueFrom: c[0], Results: json.RawMessage(`[1]`)})}}
		_, d = resume(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, s, c[1])
		assert.Equal(t, "propagate 1", fmt.Sprint(d.Action, " ", len(s.calls)), c)
	}
	s = &script{answers: []any{more.WithRetryAfter(time.Minute)}}
	_, d = resume(t.Context(), retry.Policy{}, s, nil)
	assert.Equal(t, "retry_after_too_long 1", fmt.Sprint(d.Reason, " ", len(s.calls)))
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, d = retry.Resume(over, func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return part(more), retry.Decision{Action: retry.ActionFixInput}
	}, nil, "from")
	assert.Equal(t, retry.ReasonPastDeadline, d.Reason)
}

// pausing asks for a wait before each of its parts, without end.
type pausing struct {
	wait  time.Duration
	parts int
}

func (s *pausing) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.parts++
	return fails(toolerr.RateLimited("m", s.wait).WithEffect(toolerr.EffectNone).WithPartial(&toolerr.Partial{
		Processed: s.parts, ContinueFrom: s.parts, Results: json.RawMessage(`[1]`),
	}))
}

// TestResume_Waits checks that the pauses between parts are kept, end with the context, are not
// started if they exceed the deadline, and are limited in total, with those between attempts.
func TestResume_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const each = 30 * time.Second
		for limit, want := range map[time.Duration]struct {
			parts  int
			reason retry.Reason
			took   time.Duration
		}{
			29 * time.Second: {1, retry.ReasonPastDeadline, 0}, 30 * time.Second: {1, retry.ReasonPastDeadline, 0}, 45 * time.Second: {2, retry.ReasonPastDeadline, each},
			time.Hour: {21, retry.ReasonWaitTooLong, 10 * time.Minute}, -each - time.Second: {2, retry.ReasonCanceled, each + time.Second},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			if limit < 0 {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(-limit, cancel)
			}
			s := &pausing{wait: each}
			start := time.Now()
			out, d := resume(ctx, retry.Policy{}, s, nil)
			assert.Equal(t, want.parts, s.parts, limit)
			assert.Equal(t, want.took, time.Since(start), limit)
			if limit < 0 {
				d.Waited = want.took // the pause that was cut is not counted
			}
			assert.Equal(t, retry.Decision{Reason: want.reason, Attempt: 1, Waited: want.took, Tool: "batch"}, d, limit)
			assert.Equal(t, result.KindPartial, out.Kind, limit)
			assert.Equal(t, want.parts, strings.Count(string(out.Err.Partial.Results), "1"), "items")
			assert.NotNil(t, out.Err.Partial.ContinueFrom)
			cancel()
		}
		start := time.Now()
		more := toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1, ContinueFrom: "a", Results: json.RawMessage(`[1]`)}).WithRetryAfter(10 * time.Second)
		out, d := resume(t.Context(), retry.Policy{}, &script{answers: []any{more, []int{2}}}, nil)
		assert.Equal(t, "accept [1,2] 10s 10s", fmt.Sprint(d.Action, " ", out.Text(), " ", time.Since(start), " ", d.Waited))

		start = time.Now()
		n, busy := 0, errRefused.WithRetryAfter(25*time.Second)
		s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if n++; n%3 != 0 {
				return fails(busy)
			}
			return sent(toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: n, ContinueFrom: n, Results: json.RawMessage(`[1]`)})), nil
		})
		_, d = resume(t.Context(), retry.Policy{BaseDelay: -1}, s, nil)
		assert.Equal(t, retry.ReasonWaitTooLong, d.Reason)
		assert.Equal(t, 13*50*time.Second, time.Since(start), "the call during which the limit is reached")
		assert.Equal(t, time.Since(start), d.Waited)
	})
}
