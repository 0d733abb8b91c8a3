package retry_test

import (
	"io"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// released reports whether a lookup releases a refund whose reply was lost.
func released(t *testing.T, refund, look any, answer *mcp.CallToolResult, err error) bool {
	t.Helper()
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if p.Name == "find" {
			return answer, err
		}
		return fails(errLost)
	})
	p := guarded()
	_, _ = retry.CallTool(t.Context(), p, s, tool("refund", refund))
	reading := p
	reading.Safety = retry.SafetyReadOnly
	_, _ = retry.CallTool(t.Context(), reading, s, tool("find", look))
	_, d := retry.CallTool(t.Context(), p, s, tool("refund", refund))
	return d.Reason != retry.ReasonRepeatedCall
}

// TestGuard_SharedValues checks which shared values make a lookup.
func TestGuard_SharedValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]bool{
		"ORD-7": true, "C-42": true, "48291": true, "Ann Smith": true, "ann@example.com": true, "src/main.go": true, "fix-docs": true,
		"Zoë Müller": true, "C-7": false, "EUR": false, "duplicate": false, "requested_by_customer": false, "en-US": false, "2026-07-31": false,
		"2026-07-31T10:00:00Z": false, "10:30": false, "40": false, "129.99": false, "true": false, "": false, "    ": false,
		48291: true, -48291: true, 40: false, 4711: false, 100000: false, 129.99: false, true: false, nil: false,
	} {
		for name, look := range map[string]any{
			"alone": map[string]any{"q": value}, "inside": map[string]any{"filter": map[string]any{"ids": []any{"x", value}}},
		} {
			assert.Equal(t, want, released(t, map[string]any{"a": value, "b": "something-else"}, look, result.OK("found"), nil), "%v, %s", value, name)
		}
	}
	assert.True(t, released(t, map[string]any{"id": 48291}, map[string]any{"id": "48291"}, result.OK("found"), nil), "number in a string")
	assert.True(t, released(t, map[string]any{"id": 48291.0}, map[string]any{"id": " 48291 "}, result.OK("found"), nil))
	assert.False(t, released(t, map[string]any{"idempotency_key": "k-123456"}, map[string]any{"idempotency_key": "k-123456"}, result.OK("found"), nil), "idempotency key")
	assert.False(t, released(t, nil, nil, result.OK("found"), nil))
	many := map[string]any{}
	for n := range 1000 {
		many[strconv.Itoa(n)] = "ORD-" + strconv.Itoa(n)
	}
	assert.False(t, released(t, map[string]any{"id": "ORD-1000"}, many, result.OK("found"), nil))
}

// TestGuard_LookupOutcomes checks which outcomes are a lookup.
func TestGuard_LookupOutcomes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer *mcp.CallToolResult
		err    error
		want   bool
	}{
		"data":           {result.OK("found"), nil, true},
		"nothing":        {result.Empty("No refund.", nil), nil, true},
		"not found":      {result.Failure(errPath), nil, true},
		"a refusal":      {result.Failure(toolerr.Validation("There is no refund of ORD-7.")), nil, false},
		"business":       {result.Failure(toolerr.Business("It is in dispute.")), nil, false},
		"a part":         {result.Failure(toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1})), nil, false},
		"arguments":      {result.Failure(toolerr.InvalidArgument("id", "x", "a number")), nil, false},
		"too early":      {result.Failure(toolerr.FailedPrecondition("m", "log_in")), nil, false},
		"no access":      {result.Failure(toolerr.Permission("m")), nil, false},
		"busy":           {result.Failure(errRefused), nil, false},
		"a bug":          {result.Failure(toolerr.Internal(nil)), nil, false},
		"no connection":  {nil, io.EOF, false},
		"not understood": {&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "hm"}}}, nil, false},
	} {
		assert.Equal(t, test.want, released(t, order, order, test.answer, test.err), name)
	}
}

// TestGuard_LookupElsewhere checks that a call of another server is not a lookup.
func TestGuard_LookupElsewhere(t *testing.T) {
	t.Parallel()
	p := guarded()
	bank := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return fails(errLost) })
	shop := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return result.OK("found"), nil })
	_, _ = retry.CallTool(t.Context(), p, bank, tool("refund", order))
	reading := p
	reading.Safety = retry.SafetyReadOnly
	_, _ = retry.CallTool(t.Context(), reading, shop, tool("find", order))
	_, d := retry.CallTool(t.Context(), p, bank, tool("refund", order))
	assert.Equal(t, retry.ReasonRepeatedCall, d.Reason)
	assert.Equal(t, retry.ActionVerify, d.Action)
}

// TestGuard_HeldBounds checks how long, and how many, calls that may have taken effect are
// held.
func TestGuard_HeldBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := guarded()
		sent := 0
		s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { sent++; return fails(errLost) })
		refund := func(n int) bool {
			before := sent
			_, _ = retry.CallTool(t.Context(), p, s, tool("refund", n))
			return sent > before
		}
		assert.True(t, refund(0))
		time.Sleep(24 * time.Hour) // in a synctest bubble
		assert.False(t, refund(0))
		time.Sleep(time.Second) // in a synctest bubble
		assert.True(t, refund(0))
		for n := range 5000 {
			_ = refund(n + 1)
		}
		assert.False(t, refund(1))
		assert.True(t, refund(0), "first of 5,001")
	})
}

// TestGuard_KeyRefused checks that a held call with a key is not made without the key.
func TestGuard_KeyRefused(t *testing.T) {
	t.Parallel()
	s := &script{answers: []any{errLost}}
	p := guarded()
	p.MaxAttempts, p.Safety = -1, retry.SafetyKeyed
	_, _ = retry.CallTool(t.Context(), p, s, tool("pay", order))
	p.Safety = retry.SafetyUnknown // a changed tool
	for range 2 {
		out, d := retry.CallTool(t.Context(), p, s, tool("pay", order))
		assert.Equal(t, retry.ActionVerify, d.Action)
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
		assert.Len(t, s.calls, 1)
	}
	p.Safety = retry.SafetyKeyed
	_, _ = retry.CallTool(t.Context(), p, s, tool("pay", order))
	assert.Len(t, s.calls, 2)
	assert.Equal(t, s.calls[0].Arguments, s.calls[1].Arguments)
}

// TestGuard_AppliedEffect checks that a call that took effect although it failed is never
// repeated.
func TestGuard_AppliedEffect(t *testing.T) {
	t.Parallel()
	s := &script{answers: []any{toolerr.Transient("Booked; the receipt is lost.").WithRetryable(false).WithEffect(toolerr.EffectApplied), "done"}}
	p := guarded()
	_, _ = retry.CallTool(t.Context(), p, s, tool("refund", order))
	out, d := retry.CallTool(t.Context(), p, s, tool("refund", order))
	assert.Equal(t, retry.ReasonRepeatedCall, d.Reason)
	assert.Equal(t, retry.ActionPropagate, d.Action)
	assert.Contains(t, out.Err.Hint, "has taken effect")
	_, _ = retry.CallTool(t.Context(), p, s, tool("note"))
	_, d = retry.CallTool(t.Context(), p, s, tool("refund", order))
	assert.Equal(t, retry.ReasonRepeatedCall, d.Reason)
}
