package retry_test

import (
	"context"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A bank loses the reply to every payment, and records its key.
type bank struct {
	keys []any
	_    [100]byte // so that it has its own address
}

func (b *bank) CallTool(_ context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	arguments, _ := p.Arguments.(map[string]any)
	b.keys = append(b.keys, arguments["idempotency_key"])
	return result.Failure(errLost), nil
}

type sessionFunc func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)

func (f sessionFunc) CallTool(ctx context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return f(ctx, p)
}

// before wraps a bank in a value.
type before struct {
	*bank

	more any
}

// TestGuard_Servers checks that a guard keeps servers apart by ==, including their keys,
// and remembers nothing for a server that is not comparable.
func TestGuard_Servers(t *testing.T) {
	t.Parallel()
	a, b := new(bank), new(bank)
	for name, test := range map[string]struct {
		first, second retry.Session
		same          bool
	}{
		"a pointer":      {a, a, true},
		"two pointers":   {a, b, false},
		"equal values":   {before{a, "x"}, before{a, "x"}, true},
		"two values":     {before{a, "x"}, before{b, "x"}, false},
		"two types":      {a, before{a, nil}, false},
		"one func":       {sessionFunc(a.CallTool), sessionFunc(a.CallTool), false},
		"two funcs":      {sessionFunc(a.CallTool), sessionFunc(b.CallTool), false},
		"a slice inside": {before{a, []int{1}}, before{a, []int{1}}, false},
		"a NaN inside":   {before{a, math.NaN()}, before{a, math.NaN()}, false},
	} {
		for safety, reasons := range map[retry.Safety]map[bool]retry.Reason{
			retry.SafetyKeyed:   {true: retry.ReasonMayHaveTakenEffect, false: retry.ReasonMayHaveTakenEffect},
			retry.SafetyUnknown: {true: retry.ReasonRepeatedCall, false: retry.ReasonMayHaveTakenEffect},
		} {
			a.keys, b.keys = nil, nil
			p := retry.Policy{MaxAttempts: 1, Safety: safety, Guard: new(retry.Guard)}
			_, _ = retry.CallTool(t.Context(), p, test.first, tool("pay"))
			_, d := retry.CallTool(t.Context(), p, test.second, tool("pay"))
			assert.Equal(t, reasons[test.same], d.Reason, name)
			if keys := append(a.keys, b.keys...); safety == retry.SafetyKeyed && assert.Len(t, keys, 2, name) {
				assert.Equal(t, test.same, keys[0] == keys[1], name)
			}
		}
	}
}

// TestGuard_HoldsServers checks that a session is held as long as its calls are remembered,
// because another server may otherwise get its address.
func TestGuard_HoldsServers(t *testing.T) { //nolint:paralleltest // collects garbage
	synctest.Test(t, func(t *testing.T) {
		p := retry.Policy{MaxAttempts: 1, Safety: retry.SafetyKeyed, Guard: new(retry.Guard)}
		gone := func() weak.Pointer[bank] {
			b := new(bank)
			_, _ = retry.CallTool(t.Context(), p, b, tool("pay"))
			return weak.Make(b)
		}()
		runtime.GC()
		assert.NotNil(t, gone.Value(), "collected while its call is remembered")
		time.Sleep(25 * time.Hour) // in a synctest bubble
		_, _ = retry.CallTool(t.Context(), p, new(bank), tool("other"))
		runtime.GC()
		assert.Nil(t, gone.Value())
		runtime.KeepAlive(p)
	})
}
